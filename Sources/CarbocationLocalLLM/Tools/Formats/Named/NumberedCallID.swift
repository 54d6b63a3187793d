/// An id such as `functions.get_x:0`, which holds a tool's name and the call's number.
struct NumberedCallID {
    let name: String
    /// The whole id; nil if there is no number in it, so that the text is no id but the name.
    let rawID: String?

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let digits = bytes.reversed().prefix(while: \.isDigit).count
        let colon = bytes.count - digits - 1
        guard digits > 0, colon > 0, bytes[colon] == UInt8(ascii: ":") else {
            name = text
            rawID = nil
            return
        }
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: colon)
        let stem = String(text[..<end])
        let rest = stem.dropFirst(Self.namespace.count)
        name = stem.hasPrefix(Self.namespace) && !rest.isEmpty ? String(rest) : stem
        rawID = text
    }

    private static let namespace = "functions."
}
