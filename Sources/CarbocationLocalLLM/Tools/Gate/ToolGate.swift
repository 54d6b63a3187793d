/// Takes the calls out of a turn's text.
///
/// Text before a call is passed on unchanged, the text of a call never is. Calls of the answer wait for further ones;
/// the end of the output, or any other text that is not white space, confirms all of them and ends the turn. Calls in
/// thinking wait too: they count only if neither answer nor a call outside of thinking follows, and else are thinking
/// text. What comes out does not depend on how the text is cut, and takes time in proportion to it.
package struct ToolGate: Sendable {
    /// Whether the turn has ended in confirmed calls; further text is dropped.
    package private(set) var isComplete = false
    /// The text of a call that the end of the output cut off; nothing of it runs.
    package private(set) var incompleteCall: String?

    private var admission: ToolCallAdmission
    private var allocator: LLMToolCallIDAllocator
    private var answer: ToolCallScanner
    private var thinking: ToolCallScanner
    private var phase = LLMStreamContentPhase.unknown
    private var output: [ToolGateOutput] = []

    /// The answer's calls that wait to be confirmed.
    private var pending: [AdmittedCall] = []
    /// Whether the answer has text or calls.
    private var hasAnswer = false
    /// Whether what looked like a call last was text, so that white space behind it is text too.
    private var callWasText = false
    private var held = HeldThinking()
    /// White space at the end of the thinking text, which belongs to neither side if a call follows.
    private var thinkingSpace = ""
    /// White space at the beginning of the answer while thinking is held.
    private var answerSpace = ""

    /// Creates a gate for one turn.
    ///
    /// - Parameters:
    ///   - syntax: How the model writes calls.
    ///   - tools: The declared tools; their names are unique.
    ///   - allocator: Gives the calls their ids, and knows those that the conversation has.
    package init(
        syntax: ToolCallSyntax,
        tools: [LLMToolDefinition],
        allocator: LLMToolCallIDAllocator = LLMToolCallIDAllocator()
    ) {
        admission = ToolCallAdmission(tools: tools)
        self.allocator = allocator
        answer = ToolCallScanner(syntax: syntax, names: admission.names, acceptsBareCalls: true)
        thinking = ToolCallScanner(syntax: syntax, names: admission.names, acceptsBareCalls: false)
    }

    /// Tells the call that the answer certainly is in from others; nil outside of calls.
    package var openCallPlace: Int? { phase == .thinking ? nil : answer.openCallPlace }

    /// That call, as far as it has come; takes time in proportion to its length.
    package var openCall: OpenCall? { phase == .thinking ? nil : answer.openCall }

    /// Adds text of a phase and returns what is now certain.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - phase: Its phase.
    ///   - isHidden: Whether it is a control token, which may be part of a call but never shows.
    /// - Returns: What is now certain.
    package mutating func push(
        _ text: String, in phase: LLMStreamContentPhase, isHidden: Bool = false
    ) -> [ToolGateOutput] {
        guard !isComplete else { return [] }
        enter(phase)
        take(phase == .thinking ? thinking.push(text, isHidden: isHidden) : answer.push(text, isHidden: isHidden))
        return takeOutput()
    }

    /// Adds a message to a tool and returns what is now certain.
    ///
    /// Such a message is a call whatever its channel, because its header says so.
    package mutating func push(_ message: HarmonyMessage) -> [ToolGateOutput] {
        guard !isComplete else { return [] }
        flush()
        beginAnswer()
        if message.isCutOff {
            incompleteCall = message.raw
        } else {
            callWasText = false
            pending.append(admission.admit(message))
        }
        return takeOutput()
    }

    /// Ends the current segment of the phase.
    package mutating func segmentEnd() -> [ToolGateOutput] {
        guard !isComplete else { return [] }
        flush()
        if held.isHolding, phase == .thinking {
            held.append(.segmentEnd)
        } else {
            releaseSpace()
            output.append(.segmentEnd(phase))
        }
        return takeOutput()
    }

    /// Ends the turn and returns what was held.
    package mutating func finish() -> [ToolGateOutput] {
        guard !isComplete else { return [] }
        take(phase == .thinking ? thinking.finish() : answer.finish())
        if !pending.isEmpty {
            confirm()
        } else if held.isHolding {
            honourThinking()
        }
        if incompleteCall == nil { releaseSpace() }
        return takeOutput()
    }

    private mutating func takeOutput() -> [ToolGateOutput] {
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    private mutating func enter(_ newPhase: LLMStreamContentPhase) {
        guard newPhase != phase else { return }
        if (newPhase == .thinking) != (phase == .thinking) { flush() }
        phase = newPhase
    }

    /// Reads what the current phase holds back as far as nothing more belongs to it.
    private mutating func flush() {
        take(phase == .thinking ? thinking.finish(cutOffIsText: true) : answer.finish(cutOffIsText: true))
    }

    private mutating func take(_ pieces: [ScannedPiece]) {
        for piece in pieces where !isComplete {
            if phase == .thinking { takeThinking(piece) } else { takeAnswer(piece) }
        }
    }

    /// Gives all waiting calls out; the turn ends with them.
    private mutating func confirm() {
        let ids = allocator.executionIDs(forRawIDs: pending.map(\.rawID))
        output += zip(pending, ids).map { $0.output(executionID: $1) }
        pending = []
        isComplete = true
    }
}

// MARK: - The answer

extension ToolGate {
    private mutating func takeAnswer(_ piece: ScannedPiece) {
        switch piece {
        case .text(let text): takeAnswer(text)
        case .filler(let text): if callWasText { takeAnswer(text) }
        case .markup: break
        case .incomplete(let raw):
            beginAnswer()
            incompleteCall = raw
        case .call(let call):
            switch admission.admit(call, phase: .final) {
            case .text:
                callWasText = true
                takeAnswer(call.raw)
            case .calls(let calls):
                callWasText = false
                guard !calls.isEmpty else { return }
                beginAnswer()
                pending += calls
            }
        }
    }

    private mutating func takeAnswer(_ text: String) {
        if text.hasOnlySpacing {
            // Alone it is no answer, and behind calls it belongs to them.
            if held.isHolding {
                answerSpace += text
            } else if pending.isEmpty {
                output.append(.text(text, phase))
            }
            return
        }
        guard pending.isEmpty else { return confirm() }
        beginAnswer()
        output.append(.text(text, phase))
    }

    private mutating func beginAnswer() {
        releaseThinking()
        hasAnswer = true
        guard !answerSpace.isEmpty else { return }
        output.append(.text(answerSpace, phase))
        answerSpace = ""
    }
}

// MARK: - Thinking

extension ToolGate {
    private mutating func takeThinking(_ piece: ScannedPiece) {
        if !pending.isEmpty { return confirmBehindThinking(piece) }
        switch piece {
        case .text(let text): takeThinking(text)
        case .filler(let text), .markup(let text):
            if held.isHolding { held.append(.filler(text)) } else { appendThinking(text) }
        case .call(let call):
            guard !hasAnswer, let calls = readableCalls(in: call) else { return takeThinking(call.raw) }
            held.append(.text(thinkingSpace))
            thinkingSpace = ""
            held.append(.calls(calls, raw: call.raw))
        case .incomplete(let raw):
            guard !hasAnswer else { return takeThinking(raw) }
            incompleteCall = raw
        }
    }

    private mutating func takeThinking(_ text: String) {
        if held.isHolding { held.append(.text(text)) } else { appendThinking(text) }
    }

    /// Thinking that follows calls of the answer ends the turn like any other text.
    private mutating func confirmBehindThinking(_ piece: ScannedPiece) {
        switch piece {
        case .filler: return
        case .text(let text), .markup(let text): if text.hasOnlySpacing { return }
        case .call, .incomplete: break
        }
        confirm()
    }

    /// The calls; nil if none of them can be read, because then it is a mere mention.
    private mutating func readableCalls(in call: ScannedCall) -> [AdmittedCall]? {
        guard case .calls(let calls) = admission.admit(call, phase: .thinking) else { return nil }
        let areReadable = calls.contains { admitted in
            if case .rejected(let rejected) = admitted { rejected.arguments != nil } else { true }
        }
        return areReadable ? calls : nil
    }

    /// Passes thinking text on, but for the white space at its end.
    private mutating func appendThinking(_ text: String) {
        let bytes = text.utf8
        guard let last = bytes.lastIndex(where: { !$0.isSpacing }) else {
            thinkingSpace += text
            return
        }
        let end = bytes.index(after: last)
        output.append(.text(thinkingSpace + text[..<end], .thinking))
        thinkingSpace = String(text[end...])
    }

    private mutating func releaseSpace() {
        guard !thinkingSpace.isEmpty else { return }
        output.append(.text(thinkingSpace, .thinking))
        thinkingSpace = ""
    }

    /// Makes everything that was held thinking text, because an answer follows.
    private mutating func releaseThinking() {
        releaseSpace()
        for item in held.take() {
            switch item {
            case .text(let text), .filler(let text), .calls(_, let text):
                if !text.isEmpty { output.append(.text(text, .thinking)) }
            case .segmentEnd: output.append(.segmentEnd(.thinking))
            }
        }
    }

    /// Makes the calls in thinking count, because the turn ends without an answer.
    private mutating func honourThinking() {
        for item in held.take() {
            switch item {
            case .text(let text): appendThinking(text)
            case .filler(let text): if text.hasOnlySpacing { thinkingSpace += text }
            case .calls(let calls, _): pending += calls
            case .segmentEnd:
                thinkingSpace = ""
                output.append(.segmentEnd(.thinking))
            }
        }
        thinkingSpace = ""
        confirm()
    }
}

extension String {
    /// Whether there is nothing but spaces, tabs and line breaks.
    fileprivate var hasOnlySpacing: Bool { utf8.allSatisfy(\.isSpacing) }
}

extension HarmonyMessage {
    /// Whether the output ended within the message: in its header, or in a value of its body.
    ///
    /// A body that ends behind a closing bracket was not cut off, even if it lacks another one: models end their turn
    /// there.
    fileprivate var isCutOff: Bool {
        guard !isComplete else { return false }
        guard let last = body.utf8.last(where: { !$0.isSpacing }) else { return true }
        var scanner = BodyEndScanner(.json)
        for byte in body.utf8 where scanner.scan(byte) { return false }
        if scanner.isBroken { return false }
        return !scanner.acceptsCloser || (last != UInt8(ascii: "}") && last != UInt8(ascii: "]"))
    }
}
