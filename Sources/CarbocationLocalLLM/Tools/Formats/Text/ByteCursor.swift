/// A place in a call's text.
///
/// Texts are read as bytes: all that the syntaxes are made of is ASCII, or compared whole, and what lies between is
/// taken over unchanged.
struct ByteCursor {
    let bytes: [UInt8]
    var position: Int
    /// Where the text ends for this cursor.
    let end: Int

    init(_ bytes: [UInt8]) {
        self.init(bytes, 0..<bytes.count)
    }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The byte at the position; nil at the end.
    var peek: UInt8? { position < end ? bytes[position] : nil }

    var isAtEnd: Bool { position >= end }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    /// Steps over `marker` if it comes next; an empty one never does.
    mutating func skip(_ marker: Marker) -> Bool {
        guard isNext(marker) else { return false }
        position += marker.bytes.count
        return true
    }

    mutating func skipWhiteSpace() {
        while let byte = peek, byte.isSpacing { position += 1 }
    }

    /// Steps over bytes as long as they meet the condition, and returns where they stand.
    mutating func take(while condition: (UInt8) -> Bool) -> Range<Int> {
        let start = position
        while let byte = peek, condition(byte) { position += 1 }
        return start..<position
    }

    func isNext(_ marker: Marker) -> Bool {
        marker.stands(at: position, in: bytes, before: end)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The text in the range without white space around it.
    func trimmedText(_ range: Range<Int>) -> String {
        var range = range
        while let first = range.first, bytes[first].isSpacing { range.removeFirst() }
        while let last = range.last, bytes[last].isSpacing { range.removeLast() }
        return text(range)
    }

    /// Where the range ends without the white space at its end.
    func trimmedEnd(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound, bytes[end - 1].isSpacing { end -= 1 }
        return end
    }

}
