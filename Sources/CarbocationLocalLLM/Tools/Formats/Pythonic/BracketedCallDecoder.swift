/// Calls in prose: `[Calling tool: note({"x": 1})]`, with arguments in JSON or as Python's keywords.
///
/// Takes what follows the colon, with or without the bracket at the end, or the whole.
package struct BracketedCallDecoder: ToolCallBodyDecoding {
    package init() {}

    package func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        let bytes = Array(body.utf8)
        var cursor = ByteCursor(bytes)
        cursor.skipWhiteSpace()
        var end = cursor.trimmedEnd(cursor.position..<cursor.end)
        let isWhole = cursor.skip(UInt8(ascii: "["))
        if isWhole { Self.skipWords(&cursor) }
        if cursor.position < end, bytes[end - 1] == UInt8(ascii: "]") { end -= 1 }
        return PythonicCallDecoder().decode(ByteCursor(bytes, cursor.position..<max(end, cursor.position)))
    }

    /// Steps over the words before the call, up to their colon.
    private static func skipWords(_ cursor: inout ByteCursor) {
        var ahead = cursor
        _ = ahead.take { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: "]") }
        if ahead.skip(UInt8(ascii: ":")) { cursor = ahead }
    }
}
