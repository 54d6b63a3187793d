extension UInt8 {
    /// Whether this is a space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether this is a space, a tab, a line feed or a carriage return.
    var isSpacing: Bool { isBlank || self == 0x0A || self == 0x0D }

    /// Whether this is an ASCII digit.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether this can be part of a tool's name; all bytes beyond ASCII can, because names may use any letters.
    var isNamePart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: isDigit
        }
    }
}
