/// The values in Gemma's calls: strings between `<|"|>`, JSON's other scalars, and what models write instead of them.
struct GemmaDialect: LiteralDialect {
    static let hasTuples = false

    /// The string marker that was looked for last, so that none is looked for twice; at the text's end there is none.
    private var nextMarker = (position: -1, canOnlyClose: false)

    mutating func parseKey(_ cursor: inout ByteCursor) throws(LiteralProblem) -> String {
        if let key = try parseMarkedString(&cursor) { return key }
        if let quoted = Self.quotedString(cursor) {
            cursor = quoted.end
            return quoted.text
        }
        let range = cursor.take { !Self.structural.contains($0) && $0 != UInt8(ascii: "<") }
        let key = cursor.trimmedText(range)
        guard !key.isEmpty else { throw LiteralProblem(reason: "a value without a key") }
        return key
    }

    mutating func parseScalar(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue {
        if let text = try parseMarkedString(&cursor) { return .string(text) }
        if let quoted = Self.quotedString(cursor), Self.endsMember(quoted.end) {
            cursor = quoted.end
            return .string(quoted.text)
        }
        var bare = cursor
        let word = bare.trimmedText(bare.take { !Self.memberEnds.contains($0) })
        if let value = PythonDialect.keyword(word) ?? JSONParser.number(word) {
            cursor = bare
            return value
        }
        if let text = try parseStringWithoutOpener(&cursor) { return .string(text) }
        guard !word.isEmpty, word.utf8.allSatisfy({ $0.isNamePart || $0 == UInt8(ascii: "/") }) else {
            throw LiteralProblem(reason: "text outside of a string")
        }
        cursor = bare
        return .string(word)
    }

    private static let structural = Set(":,{}[]()\"'\n".utf8)
    private static let memberEnds = Set(",}])".utf8)
    /// What stands before a value.
    private static let valueStarts = Set(":,{[(".utf8)

    /// Reads a string between two string markers, byte for byte, if one begins here.
    private mutating func parseMarkedString(_ cursor: inout ByteCursor) throws(LiteralProblem) -> String? {
        guard cursor.skip(GemmaCallDecoder.stringMarker) else { return nil }
        let end = marker(from: cursor).position
        guard end < cursor.end else { throw LiteralProblem(reason: "a string without its end") }
        let text = cursor.text(cursor.position..<end)
        cursor.position = end + GemmaCallDecoder.stringMarker.bytes.count
        return text
    }

    /// Reads a string whose opening marker is missing: text up to a marker that can only be a closing one.
    private mutating func parseStringWithoutOpener(_ cursor: inout ByteCursor) throws(LiteralProblem) -> String? {
        let marker = marker(from: cursor)
        guard marker.canOnlyClose else { return nil }
        let range = cursor.position..<marker.position
        guard !Self.containsKey(cursor.bytes[range]) else {
            throw LiteralProblem(reason: "a string whose beginning is open to doubt")
        }
        cursor.position = marker.position + GemmaCallDecoder.stringMarker.bytes.count
        return cursor.text(range)
    }

    /// The first string marker from the cursor on.
    private mutating func marker(from cursor: ByteCursor) -> (position: Int, canOnlyClose: Bool) {
        guard nextMarker.position < cursor.position else { return nextMarker }
        var found = cursor
        while found.position < found.end, !found.isNext(GemmaCallDecoder.stringMarker) { found.position += 1 }
        var after = found
        let before = cursor.bytes[cursor.position..<found.position].last { !$0.isSpacing }
        let canOnlyClose =
            after.skip(GemmaCallDecoder.stringMarker) && Self.endsMember(after)
            && before.map { !Self.valueStarts.contains($0) } ?? false
        nextMarker = (found.position, canOnlyClose)
        return nextMarker
    }

    /// A string in ordinary quotes; nil if there is none or it has no end.
    private static func quotedString(_ cursor: ByteCursor) -> (text: String, end: ByteCursor)? {
        var end = cursor
        guard cursor.peek == UInt8(ascii: "\"") || cursor.peek == UInt8(ascii: "'"),
            let text = try? PythonString.parse(&end)
        else { return nil }
        return (text, end)
    }

    private static func endsMember(_ cursor: ByteCursor) -> Bool {
        var cursor = cursor
        cursor.skipWhiteSpace()
        return cursor.peek.map(memberEnds.contains) ?? true
    }

    /// Whether a comma is followed by what looks like the next key.
    private static func containsKey(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: UInt8(ascii: ",")).dropFirst().contains { part in
            let candidate = part.drop(while: \.isSpacing).prefix { $0.isNamePart && $0 != UInt8(ascii: ":") }
            return !candidate.isEmpty && candidate.endIndex < part.endIndex
                && part[candidate.endIndex] == UInt8(ascii: ":")
        }
    }
}
