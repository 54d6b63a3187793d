/// Reads the chunks of a script as a ``ReplyReader`` reads the tokens of a model.
///
/// Text goes through the same stages. Thinking needs no markers; between it and the text around it nothing is held, as
/// nothing is across a model's markers.
struct ScriptedReplyReader: Sendable {
    private enum Source: Sendable {
        case text, thinking
    }

    /// Why the output ends here, once it does.
    private(set) var stopReason: LLMStopReason?
    /// The phase that the output is in.
    private(set) var phase = LLMStreamContentPhase.unknown
    /// Whether thinking that text steps write between markers is passed over, up to its end.
    private(set) var skipsMarkedThinking = false

    /// Whether text that follows is thinking, because of a marker or because the request says so.
    var isInMarkedThinking: Bool {
        (source == .text || !hasBegun) && phases.phase == .thinking
    }

    /// What the stages of each stretch of chunks begin as.
    private let freshText: GeneratedTextStage
    private let freshPhases: PhaseSplitter
    private let sharesStops: Bool

    private var source: Source?
    private var text: GeneratedTextStage
    private var phases: PhaseSplitter
    private var answer: AnswerStage
    private var hasBegun = false

    init(_ options: GenerationOptions) {
        let stops = StopFilter.effectiveStops(requested: options.effectiveStopSequences, template: [])
        let profile = OutputSanitizationProfile.empty.merging(options.streamPhaseConfiguration)
        freshText = GeneratedTextStage(stops: stops)
        freshPhases = PhaseSplitter(profile: profile, start: .final(followsMarker: false))
        sharesStops = !Set(stops).isDisjoint(with: profile.markers)
        text = freshText
        phases = PhaseSplitter(
            profile: profile,
            start: StartPhase(
                promptTail: "", profile: profile, startsInThinking: options.streamPhaseConfiguration.startsInThinking))
        answer = AnswerStage(options.stopAtBalancedJSON ? .balancedJSON : .text)
    }

    /// Adds a chunk of text.
    mutating func push(text chunk: String) -> [ReplyOutput] {
        guard stopReason == nil else { return [] }
        var output: [ReplyOutput] = []
        begin(.text, into: &output)
        guard sharesStops else {
            read(text.push(text: chunk), into: &output)
            return output
        }
        // A stop that is also a marker is no stop while the marker is awaited, which is only known byte by byte.
        for byte in chunk.utf8 where stopReason == nil {
            text.ignore(stopsEqualTo: phases.awaitedMarkers)
            read(text.push([byte]), into: &output)
        }
        return output
    }

    /// Adds a chunk of thinking.
    mutating func push(thinking chunk: String) -> [ReplyOutput] {
        guard stopReason == nil else { return [] }
        var output: [ReplyOutput] = []
        begin(.thinking, into: &output)
        write(text.push(text: chunk), into: &output)
        return output
    }

    /// Ends thinking after a message.
    ///
    /// - Parameters:
    ///   - message: Added to the thinking; begins it if need be.
    ///   - isMarked: Whether it is thinking of text steps, of which the rest is passed over.
    /// - Returns: The message.
    mutating func endThinking(with message: String, isMarked: Bool) -> [ReplyOutput] {
        guard stopReason == nil else { return [] }
        skipsMarkedThinking = isMarked
        guard !message.isEmpty else { return [] }
        var output: [ReplyOutput] = []
        begin(isMarked ? .text : .thinking, into: &output)
        if isMarked { take(phases.push(""), into: &output) }
        // Like what users write, a message has no markers.
        write(text.push(text: message), into: &output)
        if stopReason == nil { write(text.finish(), into: &output) }
        return output
    }

    /// Ends the text before a call.
    mutating func beginCall() -> [ReplyOutput] {
        var output: [ReplyOutput] = []
        if !hasBegun { begin(.text, into: &output) }
        endSource(into: &output)
        return output
    }

    /// Ends the output and returns what was held.
    mutating func finish() -> [ReplyOutput] {
        var output: [ReplyOutput] = []
        if !hasBegun { begin(.text, into: &output) }
        endSource(into: &output)
        answer.finish(into: &output)
        return output
    }

    // MARK: Sources

    private mutating func begin(_ newSource: Source, into output: inout [ReplyOutput]) {
        guard newSource != source else { return }
        if source != nil {
            endSource(into: &output)
            take([.segmentEnd], into: &output)
        }
        source = newSource
        text = freshText
        switch newSource {
        case .thinking: take([.entered(.thinking)], into: &output)
        case .text where hasBegun:
            phases = freshPhases
            // The answer begins here, even if its first text is held.
            take(phases.push(""), into: &output)
        case .text: break
        }
        hasBegun = true
    }

    /// Gives out what is held of a stretch of chunks.
    private mutating func endSource(into output: inout [ReplyOutput]) {
        guard let ended = source else { return }
        source = nil
        let rest = text.matchedStop == nil ? text.finish() : ""
        switch ended {
        case .thinking: write(rest, into: &output)
        case .text:
            read(rest, into: &output)
            take(passed(phases.finish()), into: &output)
        }
        skipsMarkedThinking = false
    }

    // MARK: Pieces

    /// Takes raw text that may have markers.
    private mutating func read(_ piece: String, into output: inout [ReplyOutput]) {
        guard !piece.isEmpty else { return noteStop() }
        let wasSkipping = skipsMarkedThinking
        let pieces = passed(phases.push(piece))
        let raw = wasSkipping ? Self.text(of: pieces) : piece
        if !raw.isEmpty { output.append(.raw(raw)) }
        take(pieces, into: &output)
    }

    /// Takes raw text without markers.
    private mutating func write(_ piece: String, into output: inout [ReplyOutput]) {
        guard !piece.isEmpty else { return noteStop() }
        output.append(.raw(piece))
        take([.text(piece)], into: &output)
    }

    private mutating func take(_ pieces: [PhaseOutput], into output: inout [ReplyOutput]) {
        for case .entered(let newPhase) in pieces { phase = newPhase }
        answer.take(pieces, into: &output)
        noteStop()
    }

    private mutating func noteStop() {
        stopReason = answer.stopReason ?? (text.matchedStop == nil ? nil : .stopSequence)
    }

    /// The pieces without thinking that is passed over.
    private mutating func passed(_ pieces: [PhaseOutput]) -> [PhaseOutput] {
        guard skipsMarkedThinking else { return pieces }
        return pieces.filter { piece in
            if case .segmentEnd = piece { skipsMarkedThinking = false }
            guard skipsMarkedThinking, case .text = piece else { return true }
            return false
        }
    }

    private static func text(of pieces: [PhaseOutput]) -> String {
        pieces.reduce(into: "") { text, piece in
            if case .text(let more) = piece { text += more }
        }
    }
}
