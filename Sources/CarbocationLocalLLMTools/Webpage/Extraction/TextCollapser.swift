/// Puts text together with no more white space than it needs.
struct TextCollapser {
    /// The text so far, in UTF-8.
    private(set) var bytes: [UInt8] = []

    /// How many scalars the text has.
    private(set) var scalarCount = 0

    /// What stands between the text so far and the next one.
    private var lines = 0
    private var spaces = 0
    private var isCellBoundary = false

    private static let maximumLines = 2
    private static let maximumSpaces = 64
    private static let tabWidth = 4

    /// The text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Begins a line, unless one has just begun.
    mutating func breakLine() {
        lines = max(lines, 1)
        spaces = 0
        isCellBoundary = false
    }

    /// Sets the next text apart from the one before, within the line.
    mutating func breakCell() {
        if lines == 0 { isCellBoundary = true }
    }

    /// Sets the next text apart by a space.
    mutating func breakWord() {
        if lines == 0 { spaces = max(spaces, 1) }
    }

    /// Adds text.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - isPreformatted: Whether its lines, and the spaces within them, are kept.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>, isPreformatted: Bool = false) {
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, text[index] > 0x20, text[index] < 0x7F { index += 1 }
            if index > start { append(visible: text[start..<index], scalarCount: index - start) }
            guard index < text.count else { return }
            let byte = text[index]
            if byte < 0x80 {
                appendBlank(byte, isPreformatted)
                index += 1
            } else {
                let length = min(byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2, text.count - index)
                append(scalar: text[index..<index + length], isPreformatted)
                index += length
            }
        }
    }

    /// Adds the text of a page that is no markup: its lines and their indentation are kept.
    mutating func append(plainText: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while start < plainText.count {
            let line = plainText[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            let indentation = line.prefix { $0 == 0x20 || $0 == UInt8(ascii: "\t") }
            append(UnsafeBufferPointer(rebasing: indentation), isPreformatted: true)
            append(UnsafeBufferPointer(rebasing: line[indentation.endIndex...]))
            guard line.endIndex < plainText.count else { return }
            appendBlank(UInt8(ascii: "\n"), true)
            let isPair = plainText[line.endIndex...].starts(with: "\r\n".utf8)
            start = line.endIndex + (isPair ? 2 : 1)
        }
    }

    private mutating func appendBlank(_ byte: UInt8, _ isPreformatted: Bool) {
        switch byte {
        case UInt8(ascii: "\n") where isPreformatted:
            lines = min(lines + 1, Self.maximumLines)
            spaces = 0
        case UInt8(ascii: "\t") where isPreformatted: spaces = min(spaces + Self.tabWidth, Self.maximumSpaces)
        case 0x20 where isPreformatted: spaces = min(spaces + 1, Self.maximumSpaces)
        case 0x20, 0x09...0x0D: breakWord()
        default: break
        }
    }

    /// Adds one character beyond ASCII, if it is to be seen.
    private mutating func append(scalar: Slice<UnsafeBufferPointer<UInt8>>, _ isPreformatted: Bool) {
        var value: UInt32 = 0
        for byte in scalar { value = value << 6 | UInt32(byte & 0x3F) }
        // The first byte has a mark of the length before its bits.
        value &= 0x1F_FFFF >> (scalar.count == 4 ? 0 : scalar.count == 3 ? 5 : 10)
        switch value {
        case 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            appendBlank(0x20, isPreformatted)
        // Where a word may be broken, and what else has no width.
        case 0xAD, 0x200B, 0x2060...0x2064, 0xFEFF: break
        // Marks of direction, and letters that no reader sees but a model does.
        case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0xE0000...0xE007F: break
        case 0x80...0x9F:
            // References by number mean the characters of the web's oldest encoding.
            let intended = Windows1252.scalar(of: UInt8(value))
            guard intended.value > 0x9F else { break }
            append(visible: String(intended).utf8, scalarCount: 1)
        default: append(visible: scalar, scalarCount: 1)
        }
    }

    private mutating func append(visible text: some Collection<UInt8>, scalarCount count: Int) {
        if lines > 0 || spaces > 0 || isCellBoundary { separate() }
        bytes.append(contentsOf: text)
        scalarCount += count
    }

    private mutating func separate() {
        if bytes.isEmpty {
            // Nothing stands before the text.
        } else if lines > 0 {
            appendBlanks(UInt8(ascii: "\n"), lines)
            appendBlanks(0x20, spaces)
        } else if isCellBoundary {
            appendBlanks(UInt8(ascii: "\t"), 1)
        } else {
            appendBlanks(0x20, spaces)
        }
        lines = 0
        spaces = 0
        isCellBoundary = false
    }

    private mutating func appendBlanks(_ byte: UInt8, _ count: Int) {
        bytes.append(contentsOf: repeatElement(byte, count: count))
        scalarCount += count
    }
}
