/// Cuts a Jinja template into the tokens of its tags, to look at it without rendering it.
struct JinjaLexer {
    enum Token: Hashable {
        /// A name, with its attributes: `ns.value`.
        case name(String)
        case text(String)
        /// A number or an operator of one or two characters.
        case symbol(String)
    }

    private let bytes: [UInt8]
    private var position = 0

    /// The tokens of each tag, in order.
    ///
    /// Comments and the text between tags are left out; a fragment without any tag is taken for the inside of one.
    static func tags(in template: String) -> [[Token]] {
        var lexer = JinjaLexer(bytes: Array(template.utf8))
        var tags: [[Token]] = []
        var hasTags = false
        while let opener = lexer.nextOpener() {
            hasTags = true
            if opener == UInt8(ascii: "#") {
                lexer.skipComment()
            } else {
                tags.append(lexer.tokens())
            }
        }
        if hasTags { return tags }
        lexer.position = 0
        return [lexer.tokens()]
    }

    /// Steps behind the next `{{`, `{%` or `{#` and gives its second character.
    private mutating func nextOpener() -> UInt8? {
        while position + 1 < bytes.count {
            let second = bytes[position + 1]
            if bytes[position] == UInt8(ascii: "{"),
                second == UInt8(ascii: "{") || second == UInt8(ascii: "%") || second == UInt8(ascii: "#")
            {
                position += 2
                return second
            }
            position += 1
        }
        return nil
    }

    private mutating func skipComment() {
        while position < bytes.count {
            if isAt("#}") {
                position += 2
                return
            }
            position += 1
        }
    }

    /// The tokens up to the end of the tag.
    private mutating func tokens() -> [Token] {
        var tokens: [Token] = []
        while position < bytes.count {
            if isAt("}}") || isAt("%}") {
                position += 2
                break
            }
            let byte = bytes[position]
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                tokens.append(.text(readText(quote: byte)))
            } else if Self.isNameByte(byte) {
                tokens.append(.name(readName()))
            } else if byte <= 0x20 {
                position += 1
            } else {
                tokens.append(.symbol(readSymbol()))
            }
        }
        return tokens
    }

    private mutating func readText(quote: UInt8) -> String {
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != quote {
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            text.append(bytes[position])
            position += 1
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func readName() -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) || bytes[position] == UInt8(ascii: ".") {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readSymbol() -> String {
        let isPair = isAt("==") || isAt("!=") || isAt("<=") || isAt(">=")
        defer { position += isPair ? 2 : 1 }
        return String(decoding: bytes[position..<position + (isPair ? 2 : 1)], as: UTF8.self)
    }

    private func isAt(_ pair: StaticString) -> Bool {
        position + 1 < bytes.count && bytes[position] == pair.utf8Start[0] && bytes[position + 1] == pair.utf8Start[1]
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}
