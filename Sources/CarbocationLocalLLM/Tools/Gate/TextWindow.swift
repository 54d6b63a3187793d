/// The part of a stream of text that is not given out yet, addressed by places in the whole stream.
struct TextWindow: Sendable {
    private var bytes: [UInt8] = []
    /// The place of the first byte.
    private var base = 0
    /// Where what is not given out begins.
    private(set) var start = 0
    /// The byte before the window.
    private var preceding: UInt8?
    /// Where tokens stand that only say something about the text.
    private var hidden: [Range<Int>] = []

    /// The place behind the last byte.
    var end: Int { base + bytes.count }

    subscript(place: Int) -> UInt8 { bytes[place - base] }

    /// Adds text; if it `isHidden`, it is left out wherever it turns out to be no markup.
    mutating func append(_ text: String, isHidden: Bool = false) {
        let place = end
        bytes.append(contentsOf: text.utf8)
        if isHidden { hidden.append(place..<end) }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[(range.lowerBound - base)..<(range.upperBound - base)], as: UTF8.self)
    }

    func isBlank(_ range: Range<Int>) -> Bool {
        bytes[(range.lowerBound - base)..<(range.upperBound - base)].allSatisfy(\.isSpacing)
    }

    /// Gives out all text before a place.
    mutating func take(before place: Int) -> String {
        guard place > start else { return "" }
        defer { giveOut(before: place) }
        return text(start..<place)
    }

    /// Gives out all text before a place, but for what is hidden in it.
    mutating func takeVisible(before place: Int) -> String {
        guard place > start, let first = hidden.first, first.lowerBound < place else { return take(before: place) }
        defer { giveOut(before: place) }
        var visible = ""
        var from = start
        for range in hidden where range.lowerBound < place {
            visible += text(from..<max(from, range.lowerBound))
            from = max(from, min(range.upperBound, place))
        }
        return visible + text(from..<place)
    }

    private mutating func giveOut(before place: Int) {
        start = place
        if let first = hidden.first, first.upperBound <= place { hidden.removeAll { $0.upperBound <= place } }
    }

    /// Forgets what was given out.
    mutating func compact() {
        guard start > base else { return }
        preceding = bytes[start - base - 1]
        bytes.removeFirst(start - base)
        base = start
    }

    /// Whether a backtick stands before a place.
    func followsBacktick(_ place: Int) -> Bool {
        let index = place - base - 1
        return (index >= 0 ? bytes[index] : preceding) == UInt8(ascii: "`")
    }
}
