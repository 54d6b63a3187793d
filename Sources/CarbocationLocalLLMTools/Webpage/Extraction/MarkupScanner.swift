/// Takes the text of a page apart into tags and what is between them, as browsers do.
///
/// Takes time in proportion to the bytes, whatever they are. Comments, declarations, scripts and styles are passed over.
struct MarkupScanner {
    /// A part of the page.
    enum Token {
        /// Text in which references may stand, and `<` may stand for itself.
        case text(Range<Int>)
        case start(MarkupTag)
        /// The name in small letters.
        case end(String)
    }

    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// The element whose text comes next, in which no tags are but its own end.
    private var textElement: String?

    /// Elements of which no end comes any more.
    private var endless: Set<String> = []

    private static let maximumNameLength = 32

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next part, nil at the end.
    mutating func next() -> Token? {
        while position < bytes.count {
            if let element = textElement {
                textElement = nil
                if let text = elementText(element) { return text }
                continue
            }
            let start = position
            position = index(of: UInt8(ascii: "<"), from: position)
            while position < bytes.count, !opensMarkup(position + 1) {
                position = index(of: UInt8(ascii: "<"), from: position + 1)
            }
            if position > start { return .text(start..<position) }
            if let token = markup() { return token }
        }
        return nil
    }

    /// Whether what follows a `<` makes it more than a character.
    private func opensMarkup(_ index: Int) -> Bool {
        guard let byte = byte(index) else { return false }
        return Self.isLetter(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!")
            || byte == UInt8(ascii: "?")
    }

    /// Reads what begins with `<` here; nil for what is passed over.
    private mutating func markup() -> Token? {
        position += 1
        switch byte(position) {
        case UInt8(ascii: "/"):
            position += 1
            guard let first = byte(position), Self.isLetter(first) else {
                skipBogusComment()
                return nil
            }
            let name = tagName()
            var ignored = MarkupTag(name: name)
            return readAttributes(&ignored) ? .end(name) : nil
        case UInt8(ascii: "!"):
            position += 1
            if bytes[position...].starts(with: "--".utf8) { skipComment() } else { skipBogusComment() }
            return nil
        case UInt8(ascii: "?"):
            skipBogusComment()
            return nil
        default: return startTag()
        }
    }

    private mutating func startTag() -> Token? {
        var tag = MarkupTag(name: tagName())
        guard readAttributes(&tag) else { return nil }
        guard !tag.isSelfClosing else { return tag.name == "script" || tag.name == "style" ? nil : .start(tag) }
        switch tag.name {
        case "script", "style":
            textElement = tag.name
            return nil
        case "title", "textarea":
            textElement = tag.name
            return .start(tag)
        default: return .start(tag)
        }
    }

    // MARK: Text without tags

    /// The text up to the element's end tag; nil if it is to be passed over, or if there is no end.
    private mutating func elementText(_ element: String) -> Token? {
        let isCode = element == "script" || element == "style"
        guard !endless.contains(element), let end = endTag(of: element) else {
            endless.insert(element)
            // A script without an end is a script to the end of the page.
            if isCode { position = bytes.count }
            return nil
        }
        defer { position = end }
        return isCode || end == position ? nil : .text(position..<end)
    }

    private func endTag(of element: String) -> Int? {
        var index = self.index(of: UInt8(ascii: "<"), from: position)
        while index < bytes.count {
            let rest = bytes[(index + 1)...].prefix(element.utf8.count + 2)
            let name = rest.dropFirst().prefix(element.utf8.count)
            if rest.first == UInt8(ascii: "/"), name.lazy.map({ $0 | 0x20 }).elementsEqual(element.utf8) {
                let after = rest.dropFirst(element.utf8.count + 1).first
                if after.map({ Self.isBlank($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }) ?? true {
                    return index
                }
            }
            index = self.index(of: UInt8(ascii: "<"), from: index + 1)
        }
        return nil
    }

    // MARK: Comments

    /// Passes over `<!-- … -->`, of which the first dashes come next.
    private mutating func skipComment() {
        position += 2
        if byte(position) == UInt8(ascii: ">") {
            position += 1
            return
        }
        var dashes = 2
        while let byte = byte(position) {
            position += 1
            switch byte {
            case UInt8(ascii: "-"): dashes += 1
            case UInt8(ascii: ">") where dashes >= 2: return
            case UInt8(ascii: "!") where dashes >= 2 && self.byte(position) == UInt8(ascii: ">"):
                position += 1
                return
            default: dashes = 0
            }
        }
    }

    private mutating func skipBogusComment() {
        position = min(index(of: UInt8(ascii: ">"), from: position) + 1, bytes.count)
    }

    // MARK: Tags

    private mutating func tagName() -> String {
        var name: [UInt8] = []
        while let byte = byte(position), !Self.isBlank(byte), byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") {
            if name.count < Self.maximumNameLength, Self.isNameByte(byte) { name.append(Self.lowercased(byte)) }
            position += 1
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// Reads the rest of a tag; false if the page ends within it.
    private mutating func readAttributes(_ tag: inout MarkupTag) -> Bool {
        while let byte = byte(position) {
            switch byte {
            case UInt8(ascii: ">"):
                position += 1
                return true
            case UInt8(ascii: "/"):
                position += 1
                tag.isSelfClosing = self.byte(position) == UInt8(ascii: ">")
            case _ where Self.isBlank(byte): position += 1
            default:
                let name = attributeName()
                guard let value = attributeValue() else { return false }
                if let attribute = attribute(name), tag.attributes[attribute] == nil {
                    tag.attributes[attribute] = value
                }
            }
        }
        return false
    }

    private mutating func attributeName() -> Range<Int> {
        let start = position
        // A `=` at the beginning is part of the name.
        position += 1
        while let byte = byte(position), !Self.isBlank(byte), byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">"),
            byte != UInt8(ascii: "=")
        {
            position += 1
        }
        return start..<position
    }

    /// The value after a name, which is empty if there is none; nil if the page ends within it.
    private mutating func attributeValue() -> Range<Int>? {
        skipBlanks()
        guard byte(position) == UInt8(ascii: "=") else { return position..<position }
        position += 1
        skipBlanks()
        guard let first = byte(position) else { return nil }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            let end = index(of: first, from: position + 1)
            guard end < bytes.count else {
                position = bytes.count
                return nil
            }
            defer { position = end + 1 }
            return (position + 1)..<end
        }
        let start = position
        while let byte = byte(position), !Self.isBlank(byte), byte != UInt8(ascii: ">") { position += 1 }
        return start..<position
    }

    private func attribute(_ name: Range<Int>) -> MarkupTag.Attribute? {
        guard name.count <= 11 else { return nil }
        return MarkupTag.Attribute(rawValue: String(decoding: bytes[name].map(Self.lowercased), as: UTF8.self))
    }

    // MARK: Bytes

    private mutating func skipBlanks() {
        while let byte = byte(position), Self.isBlank(byte) { position += 1 }
    }

    private func byte(_ index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    /// Where a byte comes next, or the end.
    private func index(of byte: UInt8, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != byte { index += 1 }
        return min(index, bytes.count)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
