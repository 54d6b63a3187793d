/// The bytes of tokens in, phases, text and tool calls out: all that a generation does with raw output.
///
/// A value that does not depend on how the bytes are cut, without clock and I/O. Takes time in proportion to the bytes.
package struct ReplyReader: Sendable {
    /// Why the output ends here, once it does.
    package private(set) var stopReason: LLMStopReason?
    /// The stop sequence that ended the output, once one did.
    package var matchedStop: String? { text.matchedStop }
    /// The raw text of a call that the output ended in; set by ``finish()``.
    package var incompleteCall: String? { answer.incompleteCall }

    private var text: GeneratedTextStage
    private var phases: any PhaseReading
    private var answer: AnswerStage
    /// UTF-8 bytes of the raw text that the phases were given.
    private var readBytes = 0
    /// A stop that is also a marker is no stop while the marker is awaited, which is only known byte by byte.
    private let sharesStops: Bool

    package init(_ format: ReplyFormat) {
        text = GeneratedTextStage(stops: format.stops)
        phases = format.makeReader()
        answer = AnswerStage(format.answer)
        sharesStops = !Set(format.stops).isDisjoint(with: format.markers)
        if sharesStops { text.ignore(stopsEqualTo: phases.awaitedMarkers) }
    }

    /// The phase that the output is in.
    package var phase: LLMStreamContentPhase { phases.phase }

    /// Tells the call that the output certainly is in from others; nil outside of calls, and in those of thinking.
    package var openCallPlace: Int? {
        answer.calls.flatMap { phases.openMessagePlace ?? $0.openCallPlace }
    }

    /// That call with all of its bytes so far, as far as they are whole characters.
    ///
    /// Takes time in proportion to its length.
    package var openCall: OpenCall? {
        guard let calls = answer.calls else { return nil }
        if var message = phases.openMessage {
            message.body += text.heldText
            return message
        }
        guard var call = calls.openCall else { return nil }
        call.body += phases.heldText + text.heldText
        return call
    }

    /// Whether the bytes so far end with a whole character.
    package var isAtCharacterBoundary: Bool { text.isAtCharacterBoundary }

    /// Adds the bytes of a token.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - marker: The marker that the token is, if it is one.
    /// - Returns: What is now certain; nothing once the output has ended.
    package mutating func push(_ bytes: UnsafeBufferPointer<UInt8>, marker: String? = nil) -> [ReplyOutput] {
        guard stopReason == nil else { return [] }
        if let marker { phases.announce(marker: marker, at: readBytes + text.heldByteCount) }
        guard sharesStops else { return read(text.push(bytes)) }
        var output: [ReplyOutput] = []
        for index in bytes.indices where stopReason == nil {
            output += read(text.push(UnsafeBufferPointer(rebasing: bytes[index...index])))
            text.ignore(stopsEqualTo: phases.awaitedMarkers)
        }
        return output
    }

    /// Adds the bytes of a token.
    package mutating func push(_ bytes: [UInt8], marker: String? = nil) -> [ReplyOutput] {
        bytes.withUnsafeBufferPointer { push($0, marker: marker) }
    }

    /// Ends the output and returns what was held.
    package mutating func finish() -> [ReplyOutput] {
        var output: [ReplyOutput] = []
        if text.matchedStop == nil {
            let rest = text.finish()
            if !rest.isEmpty { output.append(.raw(rest)) }
            if stopReason == nil { answer.take(phases.push(rest), into: &output) }
        }
        if stopReason == nil || stopReason == .stopSequence { answer.take(phases.finish(), into: &output) }
        answer.finish(into: &output)
        // Calls that are complete count, whatever ended the output behind them.
        if let reason = answer.stopReason { stopReason = reason }
        return output
    }

    private mutating func read(_ piece: String) -> [ReplyOutput] {
        var output: [ReplyOutput] = []
        if !piece.isEmpty {
            readBytes += piece.utf8.count
            output.append(.raw(piece))
            answer.take(phases.push(piece), into: &output)
        }
        stopReason = answer.stopReason ?? (text.matchedStop == nil ? nil : .stopSequence)
        return output
    }

    /// The failure of a generation that ended before its structured output began, if it had to.
    package func failure(endingWith stopReason: LLMStopReason) -> LLMEngineError? {
        answer.failure(endingIn: phase, stopReason: stopReason)
    }
}
