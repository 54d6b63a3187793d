/// Tells thinking, answer and messages to tools apart in output of the Harmony format, as it arrives.
///
/// `<|start|>assistant<|channel|>analysis|commentary|final [to=…] [<|constrain|>json]<|message|>…<|end|>`, ended by
/// `<|call|>` or `<|return|>` too. Channel `analysis` is thinking, `final` and `commentary` are the answer, and what has
/// a recipient is a message of its own whose text never shows. Words of a header that mean nothing are ignored, a
/// missing end marker is made up for, and text without any header is the answer.
///
/// Like ``PhaseSplitter`` it loses nothing and does not depend on how the text is cut. A marker that is one vocabulary
/// token counts only where it was announced; the others count by their text, except within a JSON string of a message
/// to a tool.
package struct HarmonyReader: PhaseReading {
    private enum State: Sendable {
        case header
        case text(PhaseText)
        case call(HarmonyCall)
    }

    /// The format's markers.
    package static var markers: [String] { HarmonyMarker.allCases.map(\.rawValue) }

    /// The phase that the output is in.
    package var phase: LLMStreamContentPhase { track.phase }

    private var track: PhaseTrack
    private var state = State.header
    private var scanner: MarkerScanner<HarmonyMarker>
    private var header = HarmonyHeader()
    private var opening = HarmonyOpening()
    /// How far the text before a message's first marker was read.
    private var examined = 0
    private var followsMarker = false
    /// The phase of text without a header.
    private var bareTextPhase: LLMStreamContentPhase
    /// Whether quotes in the bodies of calls can be relied on.
    private var trustsQuotes = true

    private let headerMarkers: MarkerSet<HarmonyMarker>
    private let bodyMarkers: MarkerSet<HarmonyMarker>
    private let tokenMarkers: Set<String>

    private typealias Match = MarkerScanner<HarmonyMarker>.Match
    private typealias Finding = MarkerScanner<HarmonyMarker>.Finding

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - promptTail: The template's own text at the end of the prompt; the output goes on with its last message.
    ///   - startsInThinking: What the request says about the start, for output without a header.
    ///   - tokenMarkers: The markers that are one vocabulary token and will be announced.
    package init(promptTail: String = "", startsInThinking: Bool? = nil, tokenMarkers: Set<String> = []) {
        self.tokenMarkers = tokenMarkers
        headerMarkers = HarmonyMarker.inHeader(tokens: tokenMarkers)
        bodyMarkers = HarmonyMarker.inBody(tokens: tokenMarkers)
        bareTextPhase = startsInThinking == true ? .thinking : .final
        track = PhaseTrack(startsInThinking.map { $0 ? .thinking : .final } ?? .unknown)
        scanner = MarkerScanner(markers: headerMarkers)
        goOn(after: promptTail, startsInThinking: startsInThinking)
    }

    /// Whether a template writes messages in this format.
    ///
    /// Takes time in proportion to the template's length.
    package static func matches(template: String) -> Bool {
        let markers = [HarmonyMarker.start, .channel, .message].map(\.rawValue)
        // Another format has this token on both sides of a block.
        let otherOpener = HarmonyMarker.channel.rawValue + "thought"
        let occurring = MarkerOccurrences(of: markers + [otherOpener], in: template)
        return markers.allSatisfy(occurring.contains) && !occurring.contains(otherOpener)
    }

    /// The markers that the output may go on with; stops equal to them are no stops now.
    package var awaitedMarkers: [String] {
        if case .text = state, phase == .final { return [] }
        return [HarmonyMarker.start, .channel, .message, .constrain, .end].map(\.rawValue)
    }

    /// See ``PhaseReading/heldText``.
    package var heldText: String { scanner.text(upTo: scanner.end) }

    /// See ``PhaseReading/openMessagePlace``.
    package var openMessagePlace: Int? { if case .call(let call) = state { call.start } else { nil } }

    /// See ``PhaseReading/openMessage``.
    package var openMessage: OpenCall? {
        guard case .call(let call) = state else { return nil }
        return OpenCall(recipient: call.recipient, lead: call.header.raw, body: heldText)
    }

    /// How many times a byte of the output was looked at: the work done.
    package var steps: Int { scanner.steps }

    /// See ``PhaseReading/announce(marker:at:)``.
    package mutating func announce(marker: String, at offset: Int) {
        scanner.announce(marker, at: offset)
    }

    /// Adds raw text and returns what is now certain.
    package mutating func push(_ raw: String) -> [PhaseOutput] {
        var output = track.begin()
        scanner.append(raw)
        while advance(isLast: false, into: &output) {}
        return output
    }

    /// Ends the output and returns what was held.
    package mutating func finish() -> [PhaseOutput] {
        var output = track.begin()
        while advance(isLast: true, into: &output) {}
        return output
    }

    /// Goes on to the next marker; false when there is nothing more to do.
    private mutating func advance(isLast: Bool, into output: inout [PhaseOutput]) -> Bool {
        let finding = scanner.search(isLast: isLast)
        switch state {
        case .header: return readHeader(finding, isLast: isLast, into: &output)
        case .text(let text): return readText(text, finding, isLast: isLast, into: &output)
        case .call(let call): return readCall(call, finding, isLast: isLast, into: &output)
        }
    }

    /// Begins as the last message of the prompt ends.
    private mutating func goOn(after promptTail: String, startsInThinking: Bool?) {
        guard let start = promptTail.ranges(of: HarmonyMarker.start.rawValue).last else { return }
        var prompt = HarmonyReader()
        _ = prompt.push(String(promptTail[start.upperBound...]))
        // Where the prompt ends with the role, the output begins with the rest of the header or without one.
        guard prompt.header.marker != nil else { return }
        header = prompt.header
        followsMarker = true
        switch prompt.state {
        case .header:
            header.read(prompt.scanner.text(upTo: prompt.scanner.end))
        case .text(let text):
            if startsInThinking == nil { track = PhaseTrack(prompt.phase) }
            state = .text(
                PhaseText(at: 0, followsMarker: text.dropsLeadingWhiteSpace, precedesMarker: phase == .thinking))
            scanner.look(for: bodyMarkers)
        case .call(let call):
            state = .call(HarmonyCall(header: call.header, recipient: call.recipient, at: 0))
            scanner.look(for: bodyMarkers)
        }
    }
}

// Headers.
extension HarmonyReader {
    private mutating func readHeader(_ finding: Finding, isLast: Bool, into output: inout [PhaseOutput]) -> Bool {
        switch finding {
        case .mismatch:
            return false
        case .certain(let position):
            guard readOpening(upTo: position, into: &output) else { return true }
            return isLast && finishHeader(into: &output)
        case .match(let match):
            guard readOpening(upTo: match.range.lowerBound, into: &output) else { return true }
            header.read(scanner.take(upTo: match.range.lowerBound))
            scanner.drop(upTo: match.range.upperBound)
            followsMarker = true
            scanner.look(for: headerMarkers)
            switch match.meaning {
            case .message:
                header.read(.message)
                beginBody(into: &output)
            case .channel, .constrain:
                header.read(match.meaning)
            case .start:
                closeHeader(with: nil, into: &output)
                header.read(.start)
            case .end, .call, .ret:
                closeHeader(with: match.meaning, into: &output)
            }
            return true
        }
    }

    /// Reads the text before a message's first marker; false when it is no header but text, which it then begins.
    private mutating func readOpening(upTo position: Int, into output: inout [PhaseOutput]) -> Bool {
        guard header.marker == nil else { return true }
        let from = max(examined, scanner.start)
        examined = max(from, position)
        let isHeader = from >= position || opening.read(scanner.bytes(in: from..<position))
        if opening.channel == .analysis {
            bareTextPhase = .thinking
            track.change(to: .thinking, into: &output)
        }
        if !isHeader { beginText(of: bareTextPhase, followsMarker: followsMarker, into: &output) }
        return isHeader
    }

    /// Ends output that ends within a header; true when there is text that is none.
    private mutating func finishHeader(into output: inout [PhaseOutput]) -> Bool {
        var whole = header
        whole.read(scanner.text(upTo: scanner.end))
        let isBlank = scanner.endOfText(in: scanner.start..<scanner.end) == nil
        if header.marker == nil, whole.recipient == nil, scanner.start < scanner.end, !(isBlank && followsMarker) {
            beginText(of: bareTextPhase, followsMarker: followsMarker, into: &output)
            return true
        }
        header = whole
        scanner.drop(upTo: scanner.end)
        closeHeader(with: nil, into: &output)
        return false
    }

    /// Ends a header that no body followed, with what can be made of it.
    private mutating func closeHeader(with end: HarmonyMarker?, into output: inout [PhaseOutput]) {
        let header = header
        resetHeader()
        if let recipient = header.recipient {
            output.append(
                .message(
                    HarmonyMessage(
                        recipient: recipient, body: header.remainder, isComplete: end != nil, phase: header.phase,
                        raw: header.raw + (end?.rawValue ?? ""))))
        } else if header.marker != nil, !header.remainder.isEmpty {
            track.change(to: header.phase, into: &output)
            output += [.text(header.remainder), .segmentEnd]
        } else if let channel = header.channel {
            track.change(to: channel.phase, into: &output)
        }
    }

    private mutating func resetHeader() {
        header = HarmonyHeader()
        opening = HarmonyOpening()
        examined = scanner.start
    }
}

// Bodies.
extension HarmonyReader {
    private mutating func beginBody(into output: inout [PhaseOutput]) {
        guard let recipient = header.recipient else {
            return beginText(of: header.phase, followsMarker: true, into: &output)
        }
        state = .call(HarmonyCall(header: header, recipient: recipient, at: scanner.start))
        scanner.look(for: bodyMarkers)
    }

    private mutating func beginText(
        of textPhase: LLMStreamContentPhase, followsMarker: Bool, into output: inout [PhaseOutput]
    ) {
        track.change(to: textPhase, into: &output)
        state = .text(
            PhaseText(at: scanner.start, followsMarker: followsMarker, precedesMarker: textPhase == .thinking))
        scanner.look(for: bodyMarkers)
    }

    private mutating func readText(
        _ text: PhaseText, _ finding: Finding, isLast: Bool, into output: inout [PhaseOutput]
    ) -> Bool {
        var text = text
        let match = text.read(
            finding, from: &scanner, isLast: isLast, isStray: \.isStrayInBody, into: &output)
        state = .text(text)
        guard let match else { return false }
        guard match.meaning.isStrayInBody else {
            output.append(.segmentEnd)
            if phase == .thinking { track.change(to: .unknown, into: &output) }
            beginHeader(after: match)
            return true
        }
        scanner.look(for: bodyMarkers)
        return true
    }

    private mutating func readCall(
        _ call: HarmonyCall, _ finding: Finding, isLast: Bool, into output: inout [PhaseOutput]
    ) -> Bool {
        var call = call
        defer { if case .call = state { state = .call(call) } }
        switch finding {
        case .mismatch:
            return false
        case .certain(let position):
            call.read(from: scanner, upTo: position)
            guard isLast else { return false }
            if call.isInsideString, let marker = call.quotedMarker {
                // The string never ended, so that this was no quotation, and others may be none either.
                trustsQuotes = false
                end(call, with: marker, into: &output)
                return true
            }
            output.append(.message(call.message(body: scanner.take(upTo: scanner.end), end: nil)))
            state = .header
            resetHeader()
            return false
        case .match(let match):
            call.read(from: scanner, upTo: match.range.lowerBound)
            if match.meaning.isStrayInBody {
                scanner.look(for: bodyMarkers, from: match.range.upperBound)
            } else if trustsQuotes, call.isInsideString, !tokenMarkers.contains(match.meaning.rawValue) {
                call.quote(match)
                scanner.look(for: bodyMarkers, from: match.range.upperBound)
            } else {
                end(call, with: match, into: &output)
            }
            return true
        }
    }

    private mutating func end(_ call: HarmonyCall, with match: Match, into output: inout [PhaseOutput]) {
        let body = scanner.take(upTo: match.range.lowerBound)
        let end = match.meaning.isEnd ? match.meaning.rawValue : ""
        output.append(.message(call.message(body: body, end: end)))
        beginHeader(after: match)
    }

    /// Goes on after a marker that ended a message, or that began another one.
    private mutating func beginHeader(after match: Match) {
        scanner.drop(upTo: match.range.lowerBound + match.meaning.rawValue.utf8.count)
        state = .header
        resetHeader()
        if !match.meaning.isEnd { header.read(match.meaning) }
        followsMarker = true
        bareTextPhase = .final
        scanner.look(for: headerMarkers)
    }
}
