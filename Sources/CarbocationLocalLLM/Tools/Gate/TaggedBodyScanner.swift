/// Finds the end of a call whose values stand in tags, written as they are.
///
/// A value may contain the closing marker as text. It ends the call only where no value was begun, or where only white
/// space stands between it and a tag that ends a value or call, and its line ends with it or goes on with a tag.
/// Elsewhere it counts if another call, or nothing at all, follows it.
struct TaggedBodyScanner: CallBodyScanning {
    /// What is known of the value whose tag was read last.
    private enum ValueShape: Hashable {
        /// Its opening tag is not read to the end.
        case inTag
        /// Only blanks were read.
        case blank
        /// It begins in the line of its tag, or below.
        case line, block
    }

    private let rule: TaggedBodyRule
    private let matcher: TagMatcher
    private var state = MarkerAutomaton.start
    private var lead = TaggedBodyLead()
    private var count = 0
    private var value: ValueShape?
    /// Whether the rest of the tag with the tool's name is being read.
    private var isInCallTag = false
    private var lastTag: TagMatcher.Kind?
    /// The first thing that is not white space since the last tag that counts, and on the current line.
    private var solidSinceTag: Int?
    private var solidOnLine: Int?
    /// A marker that may be the end, and the first thing behind it.
    private var candidate: (start: Int, end: Int)?
    private var solidSinceCandidate: Int?
    /// The first marker behind a tag, and whether it was the last thing read but for blanks.
    private var likelyEnd: (start: Int, end: Int)?
    private var isBehindLikelyEnd = false

    init(rule: TaggedBodyRule, closers: [String], boundaries: [String]) {
        self.rule = rule
        matcher = TagMatcher(syntax: rule.syntax, closers: closers, boundaries: boundaries)
    }

    mutating func read(_ byte: UInt8) -> CallVerdict {
        if isBehindLikelyEnd, let likelyEnd, !byte.isBlank {
            if byte.isSpacing || byte == UInt8(ascii: "<") { return end(at: likelyEnd) }
            isBehindLikelyEnd = false
        }
        let isImplausible = lead.read(byte, rule.lead)
        note(byte)
        count += 1
        let match = matcher.read(byte, &state)
        if isImplausible { return .text }
        if let match, let verdict = judge(match) { return verdict }
        if match == nil { readTagEnd(byte) }
        dropRefutedCandidate()
        return .open
    }

    func atEnd() -> CallVerdict {
        if isBehindLikelyEnd, let likelyEnd { return end(at: likelyEnd) }
        if let candidate, solidSinceCandidate == nil { return end(at: candidate) }
        if let likelyEnd { return end(at: likelyEnd) }
        let rest = solidSinceTag ?? count
        guard lastTag == .callCloser, rest >= count - matcher.heldLength(at: state) else { return .incomplete }
        return .complete(body: 0..<rest, length: count)
    }
}

extension TaggedBodyScanner {
    private mutating func note(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { solidOnLine = nil }
        guard !byte.isSpacing else { return }
        solidSinceTag = solidSinceTag ?? count
        solidOnLine = solidOnLine ?? count
        if candidate != nil { solidSinceCandidate = solidSinceCandidate ?? count }
    }

    private mutating func judge(_ match: TagMatcher.Match) -> CallVerdict? {
        let start = count - match.length
        switch match.kind {
        case .closer:
            if rule.isUnambiguous || value == nil { return end(at: (start, count)) }
            if solidSinceTag == start {
                likelyEnd = (start, count)
                isBehindLikelyEnd = true
                return nil
            }
            candidate = (start, count)
            solidSinceCandidate = nil
        case .boundary:
            if let candidate, solidSinceCandidate == start { return end(at: candidate) }
            if let likelyEnd { return end(at: likelyEnd) }
            if endsValues(at: start) { return .complete(body: 0..<start, length: start) }
        case .valueOpener:
            value = rule.syntax.valuePrefix.isEmpty ? .inTag : .blank
        case .callOpener:
            isInCallTag = value == nil
        case .valueCloser:
            // The closing tag of a value that begins below its opening tag has a line of its own.
            guard value != .block || solidOnLine == start else { return nil }
            endTag(match.kind)
        case .callCloser:
            endTag(match.kind)
        }
        return nil
    }

    private mutating func endTag(_ kind: TagMatcher.Kind) {
        lastTag = kind
        solidSinceTag = nil
    }

    private mutating func readTagEnd(_ byte: UInt8) {
        if isInCallTag, byte == UInt8(ascii: ">") {
            isInCallTag = false
            endTag(.callOpener)
        }
        switch value {
        case .inTag: if byte == UInt8(ascii: ">") { value = .blank }
        case .blank:
            if byte == UInt8(ascii: "\n") {
                value = .block
            } else if !byte.isSpacing {
                value = .line
            }
        case .line, .block, nil: break
        }
    }

    /// Whether a marker that starts here is not part of a value.
    private func endsValues(at start: Int) -> Bool {
        rule.isUnambiguous || value == nil || solidSinceTag == start
    }

    private func end(at candidate: (start: Int, end: Int)) -> CallVerdict {
        .complete(body: 0..<candidate.start, length: candidate.end)
    }

    /// A candidate is none if something follows that cannot become a marker.
    private mutating func dropRefutedCandidate() {
        guard let solid = solidSinceCandidate, solid < count - matcher.heldLength(at: state) else { return }
        candidate = nil
        solidSinceCandidate = nil
    }
}
