/// What follows the telling apart of phases: the answer as the request wants it.
struct AnswerStage: Sendable {
    /// Taken out of `gate` while it changes, so that its buffers are not copied.
    private enum Gate: Sendable {
        case none
        case balancedJSON(BalancedJSONGate)
        case structured(StructuredOutputGate)
        case tools(ToolGate)
    }

    /// Why the output ends here, once it does.
    private(set) var stopReason: LLMStopReason?
    private var gate: Gate
    private var phase = LLMStreamContentPhase.unknown

    init(_ answer: ReplyFormat.Answer) {
        switch answer {
        case .text: gate = .none
        case .balancedJSON: gate = .balancedJSON(BalancedJSONGate())
        case .structured(let constraint): gate = .structured(StructuredOutputGate(constraint: constraint))
        case .tools(let syntax, let tools, let allocator):
            gate = .tools(ToolGate(syntax: syntax, tools: tools, allocator: allocator))
        }
    }

    /// The raw text of a call that the output ended in.
    var incompleteCall: String? {
        if case .tools(let gate) = gate { gate.incompleteCall } else { nil }
    }

    /// What reads calls, if something does.
    var calls: ToolGate? {
        if case .tools(let gate) = gate { gate } else { nil }
    }

    /// Takes what the reader of phases gave.
    mutating func take(_ pieces: [PhaseOutput], into output: inout [ReplyOutput]) {
        for (index, piece) in pieces.enumerated() where stopReason == nil {
            switch piece {
            case .entered(let newPhase):
                phase = newPhase
                output.append(.entered(newPhase))
                if newPhase == .final, mayHaveGrammar {
                    output.append(.answerBegan(with: Self.text(of: pieces[(index + 1)...])))
                }
            case .text(let text): take(text, into: &output)
            case .control(let token): takeControl(token, into: &output)
            case .segmentEnd: endSegment(into: &output)
            case .message(let message): take(message, into: &output)
            }
        }
    }

    /// Ends the output.
    mutating func finish(into output: inout [ReplyOutput]) {
        switch gate {
        case .none, .structured: break
        case .balancedJSON(var json):
            gate = .none
            Self.append(json.finish(), to: &output)
            gate = .balancedJSON(json)
        case .tools(var tools):
            gate = .none
            let last = tools.finish()
            // The end of the output, whatever it is, confirms calls that waited for more of them.
            if stopReason == nil, last.contains(where: \.isCall) { stopReason = .toolCallComplete }
            Self.append(last, to: &output)
            gate = .tools(tools)
        }
    }

    private var mayHaveGrammar: Bool {
        switch gate {
        case .structured, .tools: true
        case .none, .balancedJSON: false
        }
    }

    func failure(endingIn phase: LLMStreamContentPhase, stopReason: LLMStopReason) -> LLMEngineError? {
        guard case .structured(let gate) = gate else { return nil }
        return gate.failure(endingIn: phase, stopReason: stopReason)
    }

    // MARK: Pieces

    private mutating func take(_ text: String, into output: inout [ReplyOutput]) {
        switch gate {
        case .tools(var tools):
            gate = .none
            Self.append(tools.push(text, in: phase), to: &output)
            if tools.isComplete { stopReason = .toolCallComplete }
            gate = .tools(tools)
        case .balancedJSON(var json) where phase == .final:
            gate = .none
            Self.append(json.push(text), to: &output)
            if json.accepted { stopReason = .jsonComplete }
            gate = .balancedJSON(json)
        case .structured(var structured) where phase == .final:
            gate = .none
            let passed = structured.push(text)
            if !passed.isEmpty { output.append(.content(passed, .final)) }
            gate = .structured(structured)
        default:
            output.append(.content(text, phase))
        }
    }

    /// Passes a control token to what reads calls; elsewhere it is nothing.
    private mutating func takeControl(_ token: String, into output: inout [ReplyOutput]) {
        guard case .tools(var tools) = gate else { return }
        gate = .none
        Self.append(tools.push(token, in: phase, isHidden: true), to: &output)
        if tools.isComplete { stopReason = .toolCallComplete }
        gate = .tools(tools)
    }

    private mutating func endSegment(into output: inout [ReplyOutput]) {
        switch gate {
        case .tools(var tools):
            gate = .none
            Self.append(tools.segmentEnd(), to: &output)
            gate = .tools(tools)
        case .balancedJSON(var json) where phase == .final:
            gate = .none
            json.segmentEnd()
            gate = .balancedJSON(json)
        default:
            output.append(.segmentEnd(phase))
        }
    }

    /// Without tools a message to one is text like any other.
    private mutating func take(_ message: HarmonyMessage, into output: inout [ReplyOutput]) {
        guard case .tools(var tools) = gate else {
            if !message.text.isEmpty { output.append(.content(message.text, .final)) }
            return
        }
        gate = .none
        Self.append(tools.push(message), to: &output)
        if tools.isComplete { stopReason = .toolCallComplete }
        gate = .tools(tools)
    }

    private static func text(of pieces: ArraySlice<PhaseOutput>) -> String {
        pieces.reduce(into: "") { text, piece in
            if case .text(let more) = piece { text += more }
        }
    }

    private static func append(_ pieces: [BalancedJSONOutput], to output: inout [ReplyOutput]) {
        for piece in pieces {
            switch piece {
            case .text(let text): output.append(.content(text, .final))
            case .replace(let text): output.append(.replaced(text, .final))
            case .accepted: break
            }
        }
    }

    private static func append(_ pieces: [ToolGateOutput], to output: inout [ReplyOutput]) {
        for piece in pieces {
            switch piece {
            case .text(let text, let phase): output.append(.content(text, phase))
            case .segmentEnd(let phase): output.append(.segmentEnd(phase))
            case .call(let call): output.append(.call(call))
            case .rejected(let call): output.append(.rejected(call))
            }
        }
    }
}

extension ToolGateOutput {
    fileprivate var isCall: Bool {
        switch self {
        case .call, .rejected: true
        case .text, .segmentEnd: false
        }
    }
}
