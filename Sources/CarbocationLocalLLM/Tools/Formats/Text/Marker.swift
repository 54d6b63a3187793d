/// A fixed piece of text that a syntax is made of.
package struct Marker: Sendable, Hashable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Whether the marker, unless it is empty, stands at a place and ends at or before `end`.
    func stands(at position: Int, in text: [UInt8], before end: Int) -> Bool {
        guard let first = bytes.first, position + bytes.count <= end, text[position] == first else { return false }
        for offset in 1..<bytes.count where text[position + offset] != bytes[offset] { return false }
        return true
    }
}
