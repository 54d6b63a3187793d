/// Unicode white space in UTF-8, seen scalar by scalar.
///
/// Not by character: whether a character is white space may depend on what the next piece of text begins with.
enum WhiteSpace {
    /// The length of the scalar that begins at `index`, and whether it is white space.
    static func scalar(in bytes: [UInt8], at index: Int) -> (length: Int, isWhiteSpace: Bool) {
        let byte = bytes[index]
        if byte < 0x80 { return (1, byte == 0x20 || (0x09...0x0D).contains(byte)) }
        let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        guard length < 4, index + length <= bytes.count else { return (min(length, bytes.count - index), false) }
        var value = UInt32(byte) & (length == 2 ? 0x1F : 0x0F)
        for next in bytes[(index + 1)..<(index + length)] { value = value << 6 | UInt32(next) & 0x3F }
        return (length, Unicode.Scalar(value)?.properties.isWhitespace ?? false)
    }
}

extension StringProtocol {
    /// Whether there is nothing but white space.
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// The text without the white space around it.
    func trimmingWhiteSpace() -> String {
        var scalars = unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }
}
