/// A place within a JSON document.
struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    var tokens: [String] = []

    init(_ tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Reads what follows the `#` of a reference: empty, or percent-encoded tokens with `/` before each.
    init?(fragment: Substring) {
        guard let text = Self.percentDecoded(fragment) else { return nil }
        guard !text.isEmpty else { return }
        guard text.unicodeScalars.first == "/" else { return nil }
        for part in text.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
    }

    /// As a reference writes it, without percent-encoding.
    var description: String {
        "#" + tokens.map { "/" + Self.escaped($0) }.joined()
    }

    /// A key as pointers write it.
    static func escaped(_ token: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in token.unicodeScalars {
            switch scalar {
            case "~": text.append(contentsOf: "~0".unicodeScalars)
            case "/": text.append(contentsOf: "~1".unicodeScalars)
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    private static func unescaped(_ part: Substring.UnicodeScalarView) -> String? {
        var text = String.UnicodeScalarView()
        var rest = part
        while let scalar = rest.popFirst() {
            guard scalar == "~" else {
                text.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "0": text.append("~")
            case "1": text.append("/")
            default: return nil
            }
        }
        return String(text)
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy(isHexadecimal),
                let value = UInt8(String(Substring(digits)), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        let decoded = String(decoding: bytes, as: UTF8.self)
        return decoded.utf8.elementsEqual(bytes) ? decoded : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}
