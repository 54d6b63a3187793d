/// Finds the tags in the body of a call.
struct CallTagScanner {
    /// How long a name or the attributes in an opening tag may be, in bytes.
    private static let maximumNameLength = 256

    private let syntax: TaggedCallSyntax
    private let functionPrefix: Marker
    private let functionClose: Marker
    private let parameterPrefix: Marker
    private let valueClose: Marker
    /// The bytes with which tags begin.
    private let starts: Set<UInt8>

    init(_ syntax: TaggedCallSyntax) {
        self.syntax = syntax
        functionPrefix = Marker(syntax.function.prefix)
        functionClose = Marker(syntax.functionClose)
        parameterPrefix = Marker(syntax.parameter.prefix)
        valueClose = Marker(syntax.valueClose)
        starts = Set([functionPrefix, functionClose, parameterPrefix, valueClose].compactMap(\.bytes.first))
    }

    func tags(in cursor: ByteCursor) -> [CallTag] {
        var cursor = cursor
        var tags: [CallTag] = []
        var startsLine = true
        while let byte = cursor.peek {
            if starts.contains(byte), let tag = tag(at: cursor, startsLine: startsLine) {
                tags.append(tag)
                cursor.position = tag.range.upperBound
                startsLine = false
            } else {
                cursor.position += 1
                startsLine = byte == 0x0A || (startsLine && (byte.isBlank || byte == 0x0D))
            }
        }
        return tags
    }

    private func tag(at cursor: ByteCursor, startsLine: Bool) -> CallTag? {
        if cursor.isNext(valueClose) {
            return closing(.valueClosing, valueClose, at: cursor, startsLine)
        }
        if cursor.isNext(functionClose) {
            return closing(.functionClosing, functionClose, at: cursor, startsLine)
        }
        if cursor.isNext(parameterPrefix) {
            return opening(.parameterOpening, syntax.parameter, parameterPrefix, at: cursor, startsLine)
        }
        if cursor.isNext(functionPrefix) {
            return opening(.functionOpening, syntax.function, functionPrefix, at: cursor, startsLine)
        }
        return nil
    }

    private func closing(_ kind: CallTag.Kind, _ marker: Marker, at cursor: ByteCursor, _ startsLine: Bool) -> CallTag {
        let range = cursor.position..<cursor.position + marker.bytes.count
        return CallTag(kind: kind, range: range, startsLine: startsLine)
    }

    /// Reads an opening tag; nil if it has no name or no end.
    private func opening(
        _ kind: CallTag.Kind, _ form: OpeningTag, _ prefix: Marker, at start: ByteCursor, _ startsLine: Bool
    ) -> CallTag? {
        var cursor = start
        _ = cursor.skip(prefix)
        let nameEnd = Marker(form.nameEnd.isEmpty ? form.end : form.nameEnd)
        guard let nameRange = take(before: nameEnd, &cursor) else { return nil }
        var notation = TaggedArgument.Notation.unspecified
        if !form.nameEnd.isEmpty {
            guard let attributes = take(before: Marker(form.end), &cursor) else { return nil }
            notation = Self.notation(from: cursor.text(attributes))
        }
        if kind == .parameterOpening, !syntax.valuePrefix.isEmpty {
            cursor.skipWhiteSpace()
            guard cursor.skip(Marker(syntax.valuePrefix)) else { return nil }
        }
        let name = Self.unquoted(cursor.trimmedText(nameRange))
        guard !name.isEmpty else { return nil }
        return CallTag(
            kind: kind, range: start.position..<cursor.position, name: name, notation: notation,
            startsLine: startsLine)
    }

    /// Reads up to `end` and steps over it; nil if that is not near.
    private func take(before end: Marker, _ cursor: inout ByteCursor) -> Range<Int>? {
        let start = cursor.position
        while !cursor.isAtEnd, cursor.position - start <= Self.maximumNameLength {
            let range = start..<cursor.position
            if cursor.skip(end) { return range }
            // A name holds no other tag, and a line break only around it, where the tag's end is a tag by itself.
            let byte = cursor.bytes[cursor.position]
            guard byte != UInt8(ascii: "<"), byte != 0x0A || end.bytes.first == UInt8(ascii: "<") else { return nil }
            cursor.position += 1
        }
        return nil
    }

    /// A name without quotes around it, as in `<function="name">`.
    private static func unquoted(_ name: String) -> String {
        guard name.utf8.count > 2, let first = name.utf8.first, first == name.utf8.last,
            first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
        else { return name }
        return String(name.dropFirst().dropLast())
    }

    /// What the attributes `string="true"` and `type="string"`, and other values of them, say.
    private static func notation(from attributes: String) -> TaggedArgument.Notation {
        for attribute in attributes.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            switch attribute {
            case "string=\"true\"", "type=\"string\"": return .text
            case "string=\"false\"": return .json
            default: if attribute.hasPrefix("type=") { return .json }
            }
        }
        return .unspecified
    }
}
