/// One JSON value within a call's text.
enum JSONText {
    private static let fence: Marker = "```"

    /// Whether an object or list comes next, or a code fence around one.
    static func begins(at cursor: ByteCursor) -> Bool {
        cursor.peek == UInt8(ascii: "{") || cursor.peek == UInt8(ascii: "[") || cursor.isNext(fence)
    }

    /// Where the object or list that begins at the cursor ends.
    ///
    /// - Parameters:
    ///   - cursor: A place where an opening bracket stands.
    ///   - barrier: A marker that no value contains outside of its strings: the value is cut off before it.
    /// - Returns: Whether the value has an end, and the place after it or the one where the search ended.
    static func end(from cursor: ByteCursor, before barrier: Marker = "") -> (isComplete: Bool, position: Int) {
        var scanner = JSONEndScanner()
        for position in cursor.position..<cursor.end {
            let isBarrier = scanner.acceptsCloser && barrier.stands(at: position, in: cursor.bytes, before: cursor.end)
            if isBarrier { return (false, position) }
            if scanner.scan(cursor.bytes[position]) { return (true, position + 1) }
        }
        return (false, cursor.end)
    }

    /// The value that the range holds, with nothing but white space around it.
    ///
    /// Strict JSON, or a Python literal if its first string is in single quotes, as some models write lists of calls.
    /// A string in double quotes is never touched by that.
    static func value(_ bytes: [UInt8], _ range: Range<Int>, isStrict: Bool = false) -> LLMJSONValue? {
        let strict = bytes.withUnsafeBufferPointer {
            try? JSONParser.parse(UnsafeBufferPointer(rebasing: $0[range]))
        }
        if strict != nil || isStrict { return strict }
        let firstQuote = bytes[range].first { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        guard firstQuote == UInt8(ascii: "'") else { return nil }
        return LiteralParser<PythonDialect>.value(of: ByteCursor(bytes, range))
    }
}
