/// Looks for markers in text that arrives in pieces, and keeps what may still belong to one.
///
/// Of markers that overlap the one that starts first counts, of those the longest. Positions count the UTF-8 bytes of
/// all text so far. Each byte is looked at once, and again only after a marker, within that marker's length.
struct MarkerScanner<Meaning: Sendable>: Sendable {
    struct Match: Sendable {
        let meaning: Meaning
        let range: Range<Int>
    }

    enum Finding: Sendable {
        case match(Match)
        /// Looking only at the start, and there is no marker.
        case mismatch
        /// No marker so far; the text up to the position belongs to none.
        case certain(Int)
    }

    /// The first position that was not taken yet.
    private(set) var start = 0
    /// How many times a byte was looked at: the work done.
    private(set) var steps = 0
    private var bytes: [UInt8] = []
    /// The position of `bytes[0]`.
    private var origin = 0
    private var announcements = TokenAnnouncements()

    private var markers: MarkerSet<Meaning>
    private var isAnchored = false
    /// Where an anchored marker has to begin.
    private var anchor = 0
    private var cursor = 0
    private var state = MarkerAutomaton.start
    private var textState = MarkerAutomaton.start
    private var candidate: Match?

    init(markers: MarkerSet<Meaning>, isAnchored: Bool = false) {
        self.markers = markers
        self.isAnchored = isAnchored
    }

    /// The position after all text so far.
    var end: Int { origin + bytes.count }

    /// Whether there is neither text nor a marker to wait for.
    var isIdle: Bool { markers.isEmpty && bytes.isEmpty }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Counts text that went past the scanner while it was idle.
    mutating func skip(_ text: String) {
        origin += text.utf8.count
        start = origin
        cursor = origin
        announcements.forget(before: start)
    }

    mutating func announce(_ token: String, at position: Int) {
        announcements.add(token, at: position)
    }

    /// Looks for other markers from now on, in what was not taken or from `position` on.
    ///
    /// Anchored markers count only at the start of that text, white space aside.
    mutating func look(for markers: MarkerSet<Meaning>, isAnchored: Bool = false, from position: Int? = nil) {
        self.markers = markers
        self.isAnchored = isAnchored
        cursor = position ?? start
        anchor = cursor
        state = MarkerAutomaton.start
        textState = MarkerAutomaton.start
        candidate = nil
    }

    /// Goes on until a marker or the end of the text so far; `isLast` says that no more will come.
    mutating func search(isLast: Bool) -> Finding {
        if isAnchored { skipWhiteSpace() }
        while cursor < end {
            step()
            let pending = cursor - pendingLength
            if let candidate, pending > candidate.range.lowerBound { return .match(candidate) }
            if isAnchored, pending != anchor { return .mismatch }
        }
        guard !isLast else { return candidate.map(Finding.match) ?? (isAnchored ? .mismatch : .certain(end)) }
        guard !isAnchored else { return .certain(start) }
        return .certain(min(candidate?.range.lowerBound ?? cursor, cursor - pendingLength))
    }

    /// How many of the bytes before the cursor may still become a marker.
    private var pendingLength: Int {
        guard let textAutomaton = markers.textAutomaton, !announcements.isAwaited(at: cursor) else {
            return markers.automaton.heldLength(at: state)
        }
        return textAutomaton.heldLength(at: textState)
    }

    private mutating func step() {
        let byte = bytes[cursor - origin]
        cursor += 1
        steps += 1
        state = markers.automaton.step(state, byte)
        if let textAutomaton = markers.textAutomaton { textState = textAutomaton.step(textState, byte) }
        let longest = markers.automaton.firstMatch(at: state) { counts(markers.entries[$0]) }
        guard let longest else { return }
        let range = (cursor - longest.length)..<cursor
        // What starts later has to wait for what is decided first.
        guard range.lowerBound <= candidate?.range.lowerBound ?? range.lowerBound else { return }
        candidate = Match(meaning: markers.entries[longest.marker].meaning, range: range)
    }

    private func counts(_ entry: MarkerSet<Meaning>.Entry) -> Bool {
        let position = cursor - entry.length
        guard position >= max(anchor, start), !isAnchored || position == anchor else { return false }
        return entry.token.map { announcements.contains($0, at: position) } ?? true
    }

    private mutating func skipWhiteSpace() {
        guard cursor == anchor else { return }
        while cursor < end {
            let scalar = WhiteSpace.scalar(in: bytes, at: cursor - origin)
            guard scalar.isWhiteSpace else { break }
            cursor += scalar.length
            steps += 1
        }
        anchor = cursor
    }
}

extension MarkerScanner {
    /// Takes the text up to `position`.
    mutating func take(upTo position: Int) -> String {
        defer { drop(upTo: position) }
        return text(upTo: position)
    }

    /// The text from the first position that was not taken up to `position`.
    func text(upTo position: Int) -> String {
        String(decoding: bytes[(start - origin)..<(max(start, position) - origin)], as: UTF8.self)
    }

    /// The bytes of a range that was not taken.
    func bytes(in range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[(range.lowerBound - origin)..<(range.upperBound - origin)]
    }

    mutating func drop(upTo position: Int) {
        start = max(start, position)
        announcements.forget(before: start)
        guard start - origin > bytes.count / 2 else { return }
        bytes.removeFirst(start - origin)
        origin = start
    }

    /// The position behind the white space that begins at `position`, at most `limit`.
    mutating func endOfWhiteSpace(from position: Int, upTo limit: Int) -> Int {
        var position = position
        defer { steps += max(0, position - start) }
        while position < limit {
            let scalar = WhiteSpace.scalar(in: bytes, at: position - origin)
            guard scalar.isWhiteSpace else { break }
            position += scalar.length
        }
        return position
    }

    /// The position behind the last scalar of a range that is no white space; nil when there is none.
    mutating func endOfText(in range: Range<Int>) -> Int? {
        steps += range.count
        var position = range.lowerBound
        var end: Int?
        while position < range.upperBound {
            let scalar = WhiteSpace.scalar(in: bytes, at: position - origin)
            position += scalar.length
            if !scalar.isWhiteSpace { end = position }
        }
        return end
    }
}
