/// Mends what models get wrong in JSON most often: control characters that are not escaped.
enum JSONRepair {
    /// The text without the control characters that are neither tab nor line break.
    ///
    /// Raw line breaks and tabs in strings stay, for ``escapingControls(in:)``.
    static func droppingControls(_ text: Substring) -> String {
        guard text.utf8.contains(where: isDropped) else { return String(text) }
        return String(decoding: text.utf8.filter { !isDropped($0) }, as: UTF8.self)
    }

    /// The JSON value with the line breaks and tabs in its strings escaped.
    static func escapingControls(in json: Substring) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.utf8.count)
        var isInString = false
        var isAfterBackslash = false
        for byte in json.utf8 {
            switch byte {
            case UInt8(ascii: "\n") where isInString: escaped.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r") where isInString: escaped.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t") where isInString: escaped.append(contentsOf: "\\t".utf8)
            default: escaped.append(byte)
            }
            if byte == UInt8(ascii: "\""), !isAfterBackslash { isInString.toggle() }
            isAfterBackslash = isInString && !isAfterBackslash && byte == UInt8(ascii: "\\")
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func isDropped(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\t")
    }
}
