/// Tells thinking, answer and messages to tools apart where each message says whom it is for, as it arrives.
///
/// `<|start|>assistant to=self|user|TOOL<|message|>…<|eom|>`, the last one ended by `<|eot|>`. What is for `self` is
/// thinking, and what is for the user, or for nobody, the answer. Messages to tools hold calls in the template's own
/// markup, which are found in the answer's text, or an object of arguments, which is a message of its own. Headers
/// never show, and text without any header is the answer.
///
/// Like ``PhaseSplitter`` it loses nothing else and does not depend on how the text is cut. A marker that is one
/// vocabulary token counts only where it was announced; the others count by their text.
package struct AddressedReader: PhaseReading {
    private enum State: Sendable {
        case header
        case text(PhaseText)
        /// A message to a tool, of which nothing but white space has come.
        case addressed
        /// A message to a tool that is an object of arguments.
        case arguments
    }

    /// The markers that are part of a turn.
    package static let markers = [AddressedMarker.start, .message, .endOfMessage].map(\.text)
    /// The marker that ends a turn.
    package static let endOfTurn = AddressedMarker.endOfTurn.text

    /// The phase that the output is in.
    package var phase: LLMStreamContentPhase { track.phase }

    private var track: PhaseTrack
    private var state = State.header
    private var scanner: MarkerScanner<AddressedMarker>
    private var header = AddressedHeader()
    private var opening = AddressedOpening()
    /// How far the text before a message's first marker was read.
    private var examined = 0
    private var followsMarker = false
    /// The phase of text without a header.
    private var bareTextPhase: LLMStreamContentPhase

    private let headerMarkers: MarkerSet<AddressedMarker>
    private let bodyMarkers: MarkerSet<AddressedMarker>

    private typealias Match = MarkerScanner<AddressedMarker>.Match
    private typealias Finding = MarkerScanner<AddressedMarker>.Finding

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - promptTail: The template's own text at the end of the prompt; the output goes on with its last message.
    ///   - startsInThinking: What the request says about the start, for output without a header.
    ///   - tokenMarkers: The markers that are one vocabulary token and will be announced.
    ///   - controlTokens: Texts of control tokens that will be announced, whether they are markers or not.
    package init(
        promptTail: String = "", startsInThinking: Bool? = nil, tokenMarkers: Set<String> = [],
        controlTokens: Set<String> = []
    ) {
        headerMarkers = AddressedMarker.inHeader(tokens: tokenMarkers, controlTokens: controlTokens)
        bodyMarkers = AddressedMarker.inBody(tokens: tokenMarkers, controlTokens: controlTokens)
        bareTextPhase = startsInThinking == true ? .thinking : .final
        track = PhaseTrack(startsInThinking.map { $0 ? .thinking : .final } ?? .unknown)
        scanner = MarkerScanner(markers: headerMarkers)
        goOn(after: promptTail, startsInThinking: startsInThinking)
    }

    /// Whether a template writes messages in this format.
    ///
    /// Takes time in proportion to the template's length.
    package static func matches(template: String) -> Bool {
        let signs = markers + [" to=self"]
        let occurring = MarkerOccurrences(of: signs + [HarmonyMarker.channel.rawValue], in: template)
        return signs.allSatisfy(occurring.contains) && !occurring.contains(HarmonyMarker.channel.rawValue)
    }

    /// The markers that the output may go on with; stops equal to them are no stops now.
    package var awaitedMarkers: [String] {
        if case .text = state, phase == .final { return [] }
        return Self.markers
    }

    /// See ``PhaseReading/heldText``.
    package var heldText: String { scanner.text(upTo: scanner.end) }

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
        case .addressed: return readAddressed(finding, isLast: isLast, into: &output)
        case .arguments: return readArguments(finding, isLast: isLast, into: &output)
        }
    }

    /// Begins as the last message of the prompt ends.
    private mutating func goOn(after promptTail: String, startsInThinking: Bool?) {
        guard let start = promptTail.ranges(of: AddressedMarker.start.text).last else { return }
        let rest = promptTail[start.upperBound...]
        guard let marker = rest.firstRange(of: AddressedMarker.message.text) else {
            // Where the prompt ends with the role, the output begins with the recipient or without one.
            guard rest.contains(where: \.isWhitespace) else { return }
            header = AddressedHeader(after: .start)
            header.read(String(rest))
            return
        }
        followsMarker = true
        let body = rest[marker.upperBound...]
        guard !body.contains(AddressedMarker.endOfMessage.text) else { return }
        header = AddressedHeader(after: .start)
        header.read(String(rest[..<marker.lowerBound]))
        header.close(with: .message)
        scanner.look(for: bodyMarkers)
        if header.tool != nil {
            state = .addressed
        } else {
            if startsInThinking == nil { track = PhaseTrack(header.phase) }
            state = .text(PhaseText(at: 0, followsMarker: body.isBlank, precedesMarker: phase == .thinking))
        }
    }
}

// Headers.
extension AddressedReader {
    private mutating func readHeader(_ finding: Finding, isLast: Bool, into output: inout [PhaseOutput]) -> Bool {
        switch finding {
        case .mismatch:
            return false
        case .certain(let position):
            guard readOpening(upTo: position, into: &output) else { return true }
            return isLast && finishHeader(into: &output)
        case .match(let match):
            guard readOpening(upTo: match.range.lowerBound, into: &output) else { return true }
            if !header.isCertain, !endsHeader(match) {
                beginText(of: bareTextPhase, followsMarker: followsMarker, into: &output)
                return true
            }
            header.read(scanner.take(upTo: match.range.lowerBound))
            scanner.drop(upTo: match.range.upperBound)
            scanner.look(for: headerMarkers)
            pass(match.meaning, into: &output)
            return true
        }
    }

    /// Whether what stands before a marker is a header, where only that can tell.
    private func endsHeader(_ match: Match) -> Bool {
        switch match.meaning {
        case .message: return true
        case .control: return false
        case .start, .endOfMessage, .endOfTurn:
            let text = scanner.text(upTo: match.range.lowerBound)
            return text.isBlank || isHeader(text)
        }
    }

    /// Goes on behind a marker that a header was read up to.
    private mutating func pass(_ marker: AddressedMarker, into output: inout [PhaseOutput]) {
        switch marker {
        case .control:
            return
        case .message:
            header.close(with: .message)
            beginBody(into: &output)
        case .start:
            closeHeader(end: nil, into: &output)
            header = AddressedHeader(after: .start)
        case .endOfMessage, .endOfTurn:
            closeHeader(end: marker, into: &output)
        }
        followsMarker = true
    }

    /// Reads the text before a message's first marker; false when it is no header but text, which it then begins.
    private mutating func readOpening(upTo position: Int, into output: inout [PhaseOutput]) -> Bool {
        guard !header.isCertain else { return true }
        let from = max(examined, scanner.start)
        examined = max(from, position)
        if from >= position || opening.read(scanner.bytes(in: from..<position)) { return true }
        if let end = opening.endOfKnownRecipient {
            header.read(scanner.take(upTo: scanner.start + end))
            header.close()
            beginBody(into: &output)
        } else {
            beginText(of: bareTextPhase, followsMarker: followsMarker, into: &output)
        }
        return false
    }

    /// Ends output that ends within a header; true when there is text that is none.
    private mutating func finishHeader(into output: inout [PhaseOutput]) -> Bool {
        let text = scanner.text(upTo: scanner.end)
        if !header.isCertain, !text.isEmpty, !isHeader(text) {
            beginText(of: bareTextPhase, followsMarker: followsMarker, into: &output)
            return true
        }
        header.read(text)
        scanner.drop(upTo: scanner.end)
        closeHeader(end: nil, isCutOff: true, into: &output)
        return false
    }

    /// Whether all of the text before a marker is the beginning of a header, and not an answer that looks like one.
    private func isHeader(_ text: String) -> Bool {
        guard let word = text.split(whereSeparator: \.isWhitespace).last else { return followsMarker }
        if word.hasPrefix("to=") { return true }
        let isBehindRole = followsMarker || text.first?.isWhitespace == true
        return isBehindRole && (word == "to" || word == "assistant")
    }

    /// Ends a header that no body followed, with what can be made of it.
    private mutating func closeHeader(
        end: AddressedMarker?, isCutOff: Bool = false, into output: inout [PhaseOutput]
    ) {
        var header = header
        header.close()
        resetHeader()
        if let tool = isCutOff ? header.cutOffTool : header.tool {
            output.append(message(to: tool, body: header.remainder, raw: header.raw, end: end))
        } else if header.isCertain, !header.remainder.isEmpty {
            track.change(to: header.phase, into: &output)
            output += [.text(header.remainder), .segmentEnd]
        } else if header.recipient == .model {
            track.change(to: .thinking, into: &output)
        }
    }

    private mutating func resetHeader() {
        header = AddressedHeader()
        opening = AddressedOpening()
        examined = scanner.start
    }

    private func message(
        to tool: String, body: String, raw: String, end: AddressedMarker?
    ) -> PhaseOutput {
        .message(
            HarmonyMessage(
                recipient: tool, body: body, isComplete: end != nil, phase: .final, raw: raw + (end?.text ?? ""),
                text: body))
    }
}

// Bodies.
extension AddressedReader {
    private mutating func beginBody(into output: inout [PhaseOutput]) {
        guard header.tool != nil else { return beginText(of: header.phase, followsMarker: true, into: &output) }
        state = .addressed
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
        if case .control(let token) = match.meaning { output.append(.control(token)) }
        scanner.look(for: bodyMarkers)
        return true
    }

    /// Finds out what a message to a tool holds.
    private mutating func readAddressed(
        _ finding: Finding, isLast: Bool, into output: inout [PhaseOutput]
    ) -> Bool {
        let limit: Int
        switch finding {
        case .mismatch: return false
        case .certain(let end): limit = end
        case .match(let match): limit = match.range.lowerBound
        }
        scanner.drop(upTo: scanner.endOfWhiteSpace(from: scanner.start, upTo: limit))
        if scanner.start < limit {
            if scanner.bytes(in: scanner.start..<limit).first == UInt8(ascii: "{") {
                state = .arguments
                scanner.look(for: bodyMarkers)
            } else {
                beginText(of: .final, followsMarker: true, into: &output)
            }
            return true
        }
        guard case .match(let match) = finding else {
            if isLast { endMessage(upTo: scanner.end, with: nil, into: &output) }
            return false
        }
        if case .control = match.meaning {
            beginText(of: .final, followsMarker: true, into: &output)
        } else if match.meaning == .message {
            scanner.drop(upTo: match.range.upperBound)
            scanner.look(for: bodyMarkers)
        } else {
            endMessage(upTo: match.range.lowerBound, with: match, into: &output)
        }
        return true
    }

    private mutating func readArguments(
        _ finding: Finding, isLast: Bool, into output: inout [PhaseOutput]
    ) -> Bool {
        switch finding {
        case .mismatch:
            return false
        case .certain:
            if isLast { endMessage(upTo: scanner.end, with: nil, into: &output) }
            return false
        case .match(let match) where !match.meaning.isStrayInBody:
            endMessage(upTo: match.range.lowerBound, with: match, into: &output)
            return true
        case .match(let match):
            scanner.look(for: bodyMarkers, from: match.range.upperBound)
            return true
        }
    }

    private mutating func endMessage(upTo position: Int, with match: Match?, into output: inout [PhaseOutput]) {
        let body = scanner.take(upTo: position)
        // The start of another message ends this one too.
        let end = match.map { $0.meaning.isEnd ? $0.meaning : .endOfMessage }
        if let tool = header.tool {
            output.append(message(to: tool, body: body, raw: header.raw + body, end: end))
        }
        if let match { return beginHeader(after: match) }
        state = .header
        resetHeader()
        scanner.look(for: headerMarkers)
    }

    /// Goes on after a marker that ended a message, or that began another one.
    private mutating func beginHeader(after match: Match) {
        scanner.drop(upTo: match.range.lowerBound + match.meaning.text.utf8.count)
        state = .header
        resetHeader()
        if match.meaning == .start { header = AddressedHeader(after: .start) }
        followsMarker = true
        bareTextPhase = .final
        scanner.look(for: headerMarkers)
    }
}
