/// Tells thinking from answer in raw model output, as it arrives.
///
/// What comes out does not depend on how the text is cut, and nothing of it is lost: all text but markers, and the
/// white space next to them, is given out once, in the phase it belongs to. Held back is only what may still become a
/// marker, or white space that may stand next to one.
///
/// - An opener counts only at the start of a segment, which is the start of the output or the end of a block; later
///   ones are text.
/// - A marker that is one vocabulary token counts only where it was announced, so that a quoted one is text. Without
///   announcements the first closer ends thinking, quoted or not.
/// - With final markers but no openers, everything up to the first marker is thinking.
package struct PhaseSplitter: PhaseReading {
    private enum Region: Sendable {
        case thinking(OutputDelimiterPair?)
        case final
    }

    private enum Place: Sendable {
        /// The start of a segment, which is the region's unless a marker says otherwise.
        case opening(Region)
        case inside(Region)
    }

    /// The phase that the output is in.
    package var phase: LLMStreamContentPhase { track.phase }

    private var track: PhaseTrack
    private var markers: PhaseMarkers
    private var place: Place
    private var scanner: MarkerScanner<PhaseMarkers.Meaning>
    private var text: PhaseText
    private var followsMarker: Bool

    /// Creates a splitter.
    ///
    /// - Parameters:
    ///   - profile: The markers.
    ///   - start: The phase in which the output begins.
    ///   - tokenMarkers: The markers that are one vocabulary token and will be announced.
    ///   - controlTokens: Texts of control tokens that will be announced, whether they are markers or not.
    package init(
        profile: OutputSanitizationProfile, start: StartPhase, tokenMarkers: Set<String> = [],
        controlTokens: Set<String> = []
    ) {
        markers = PhaseMarkers(profile: profile, tokens: tokenMarkers, controlTokens: controlTokens)
        track = PhaseTrack(start.phase)
        switch start {
        case .unknown:
            let isThinkingUpToMarker = !markers.hasOpeners && !markers.finalMarkers.isEmpty
            place = .opening(isThinkingUpToMarker ? .thinking(nil) : .final)
            followsMarker = false
        case .final(let follows):
            place = .opening(.final)
            followsMarker = follows
        case .thinking(let pair):
            place = .opening(.thinking(pair))
            followsMarker = true
        }
        scanner = MarkerScanner(markers: markers.opening, isAnchored: true)
        if case .final(followsMarker: false) = start, markers.opening.isEmpty {
            place = .inside(.final)
            scanner = MarkerScanner(markers: markers.final)
        }
        text = PhaseText(at: 0, followsMarker: followsMarker, precedesMarker: false)
    }

    /// The closers and final markers that the output may go on with; stops equal to them are no stops now.
    package var awaitedMarkers: [String] {
        switch place {
        case .opening(.thinking(let pair)), .inside(.thinking(let pair)):
            markers.closers(of: pair) + markers.finalMarkers
        case .opening(.final): markers.finalMarkers
        case .inside(.final): []
        }
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
        if case .inside(.final) = place, scanner.isIdle, !text.dropsLeadingWhiteSpace {
            scanner.skip(raw)
            if !raw.isEmpty { output.append(.text(raw)) }
            return output
        }
        scanner.append(raw)
        advance(isLast: false, into: &output)
        return output
    }

    /// Ends the output and returns what was held.
    package mutating func finish() -> [PhaseOutput] {
        var output = track.begin()
        advance(isLast: true, into: &output)
        return output
    }

    private mutating func advance(isLast: Bool, into output: inout [PhaseOutput]) {
        while true {
            switch (place, scanner.search(isLast: isLast)) {
            case (.opening, .match(let match)):
                open(with: match, into: &output)
            case (.opening(let region), .mismatch):
                guard !isLast || leavesText else { return scanner.drop(upTo: scanner.end) }
                enter(region, into: &output)
            case (.opening, .certain):
                return
            case (.inside(let region), .match(let match)):
                if case .control(let token) = match.meaning {
                    append(text.take(from: &scanner, upTo: match.range.lowerBound, isLast: true), to: &output)
                    pass(token, endingAt: match.range.upperBound, in: region, into: &output)
                } else {
                    append(text.take(from: &scanner, upTo: match.range.lowerBound), to: &output)
                    pass(match, into: &output)
                }
            case (.inside, .certain(let position)):
                return append(text.take(from: &scanner, upTo: position, isLast: isLast), to: &output)
            case (.inside, .mismatch):
                return
            }
        }
    }

    /// Whether there is text at the start of a segment: anything, but after a marker more than white space.
    private var leavesText: Bool {
        mutating get {
            guard followsMarker else { return scanner.start < scanner.end }
            return scanner.endOfText(in: scanner.start..<scanner.end) != nil
        }
    }

    /// Goes on after a marker at the start of a segment.
    private mutating func open(
        with match: MarkerScanner<PhaseMarkers.Meaning>.Match, into output: inout [PhaseOutput]
    ) {
        scanner.drop(upTo: match.range.upperBound)
        followsMarker = true
        switch match.meaning {
        case .opener(let pair):
            enter(.thinking(pair), into: &output)
        case .finalMarker:
            if phase == .thinking { output.append(.segmentEnd) }
            enter(.final, into: &output)
        case .closer, .scrubbed, .control:
            scanner.look(for: markers.opening, isAnchored: true)
        }
    }

    /// Goes on after a control token that is no marker here.
    private mutating func pass(
        _ token: String, endingAt end: Int, in region: Region, into output: inout [PhaseOutput]
    ) {
        scanner.drop(upTo: end)
        text.skip(upTo: end)
        output.append(.control(token))
        switch region {
        case .thinking(let pair): scanner.look(for: markers.thinking(openedBy: pair))
        case .final: scanner.look(for: markers.final)
        }
    }

    /// Goes on after a marker within a segment.
    private mutating func pass(
        _ match: MarkerScanner<PhaseMarkers.Meaning>.Match, into output: inout [PhaseOutput]
    ) {
        scanner.drop(upTo: match.range.upperBound)
        followsMarker = true
        switch match.meaning {
        case .closer:
            output.append(.segmentEnd)
            // A final marker is still to come, or another block.
            track.change(to: markers.finalMarkers.isEmpty ? .final : .unknown, into: &output)
            place = .opening(.final)
            scanner.look(for: markers.opening, isAnchored: true)
        case .finalMarker:
            output.append(.segmentEnd)
            enter(.final, into: &output)
        case .opener, .scrubbed, .control:
            scanner.look(for: markers.final)
        }
    }

    /// Begins the text of a region with all that was not taken.
    private mutating func enter(_ region: Region, into output: inout [PhaseOutput]) {
        place = .inside(region)
        switch region {
        case .thinking(let pair):
            track.change(to: .thinking, into: &output)
            text = PhaseText(at: scanner.start, followsMarker: followsMarker, precedesMarker: true)
            scanner.look(for: markers.thinking(openedBy: pair))
        case .final:
            track.change(to: .final, into: &output)
            text = PhaseText(at: scanner.start, followsMarker: followsMarker, precedesMarker: false)
            scanner.look(for: markers.final)
        }
    }

    private func append(_ text: String, to output: inout [PhaseOutput]) {
        if !text.isEmpty { output.append(.text(text)) }
    }
}
