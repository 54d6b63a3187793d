/// Gemma 4's calls: `call:name{key:value}`, one or more, with strings between `<|"|>`.
///
/// Also what the models drift to: ordinary quotes in place of the string markers, a missing opening marker, single
/// words without any, and JSON or keywords in round brackets after the name. A call that does not fit ends the reading:
/// what comes later may stand inside its strings.
package struct GemmaCallDecoder: ToolCallBodyDecoding {
    static let stringMarker: Marker = "<|\"|>"
    private static let callPrefix: Marker = "call:"

    package init() {}

    package func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        var cursor = ByteCursor(Array(body.utf8))
        var results: [ToolCallDecodingResult] = []
        while true {
            _ = cursor.take { $0.isSpacing || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
            guard !cursor.isAtEnd else { return results }
            let continuesCall = TrailingText.continuesCall(cursor)
            _ = cursor.skip(Self.callPrefix)
            let name = cursor.text(cursor.take(while: \.isNamePart))
            let result = Self.call(named: name, &cursor)
            if result == nil, let last = results.popLast() {
                // Prose after calls is harmless.
                let reason = "text follows the call that belongs to no call"
                return results + [continuesCall ? last.rejected(because: reason) : last]
            }
            results.append(result ?? Self.failure(name, reason: "the call has no arguments"))
            guard case .success? = result else { return results }
        }
    }

    /// Reads the arguments after a name; nil if no bracket follows it.
    private static func call(named name: String, _ cursor: inout ByteCursor) -> ToolCallDecodingResult? {
        cursor.skipWhiteSpace()
        guard let bracket = cursor.peek, bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "(") else {
            return nil
        }
        guard !name.isEmpty else { return failure(nil, reason: "the call names no tool") }
        do throws(LiteralProblem) {
            let arguments = bracket == UInt8(ascii: "{") ? try object(&cursor) : try inRoundBrackets(&cursor)
            return DecodedToolCall.decoded(name: name, rawID: nil, arguments: arguments)
        } catch {
            return failure(name, reason: "the arguments have \(error.reason)")
        }
    }

    private static func object(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue {
        var parser = LiteralParser<GemmaDialect>(cursor)
        let value = try parser.parseValue()
        cursor = parser.cursor
        return value
    }

    /// Reads `({…})`, with the object in JSON or in Gemma's syntax, or Python's keyword arguments.
    private static func inRoundBrackets(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue {
        var inner = cursor
        inner.position += 1
        inner.skipWhiteSpace()
        guard inner.peek == UInt8(ascii: "{"), let value = try? jsonObject(inner) ?? gemmaObject(inner) else {
            return try PythonArguments.parse(&cursor)
        }
        cursor = value.end
        return value.object
    }

    private typealias Bracketed = (object: LLMJSONValue, end: ByteCursor)

    private static func jsonObject(_ start: ByteCursor) -> Bracketed? {
        let end = JSONText.end(from: start)
        guard end.isComplete, let value = JSONText.value(start.bytes, start.position..<end.position, isStrict: true)
        else { return nil }
        var cursor = start
        cursor.position = end.position
        cursor.skipWhiteSpace()
        return cursor.skip(UInt8(ascii: ")")) ? (value, cursor) : nil
    }

    private static func gemmaObject(_ start: ByteCursor) throws(LiteralProblem) -> Bracketed? {
        var cursor = start
        let value = try object(&cursor)
        cursor.skipWhiteSpace()
        return cursor.skip(UInt8(ascii: ")")) ? (value, cursor) : nil
    }

    private static func failure(_ name: String?, reason: String) -> ToolCallDecodingResult {
        .failure(.malformed(name: name?.isEmpty == true ? nil : name, rawID: nil, reason: reason))
    }
}
