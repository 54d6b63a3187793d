/// Calls in Python's syntax: `[add(a=1), other()]`, one `add(a=1)`, or several of them after one another.
///
/// Values are literals: a call as a value makes the whole a failure. `print(…)` around a call is left out of account.
/// Nothing of a list without its end is a call.
package struct PythonicCallDecoder: ToolCallBodyDecoding {
    package init() {}

    package func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        decode(ByteCursor(Array(body.utf8)))
    }

    /// Decodes what follows a cursor.
    func decode(_ start: ByteCursor) -> [ToolCallDecodingResult] {
        var cursor = start
        Self.skipSeparators(&cursor)
        let isList = cursor.skip(UInt8(ascii: "["))
        var results: [ToolCallDecodingResult] = []
        while true {
            Self.skipSeparators(&cursor)
            if isList, cursor.skip(UInt8(ascii: "]")) { break }
            if !isList, cursor.isAtEnd { return results }
            let result = Self.call(&cursor)
            if !isList, !results.isEmpty, result == nil { break }
            results.append(result ?? Self.failure(nil, reason: "the text is no call"))
            guard case .success? = result else {
                return isList ? results.map { $0.rejected(because: "the list of calls is malformed") } : results
            }
        }
        Self.skipSeparators(&cursor)
        guard TrailingText.continuesCall(cursor), !results.isEmpty else { return results }
        return results.map { $0.rejected(because: "text follows the calls that belongs to no call") }
    }

    private static let fence: Marker = "```"

    private static func skipSeparators(_ cursor: inout ByteCursor) {
        while let byte = cursor.peek {
            if cursor.skip(fence) {
                // The language stands right after it.
                _ = cursor.take { $0.isNamePart }
            } else if byte.isSpacing || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
                cursor.position += 1
            } else {
                return
            }
        }
    }

    /// Reads a call; nil if no name with a bracket after it stands here.
    private static func call(_ cursor: inout ByteCursor) -> ToolCallDecodingResult? {
        guard let name = name(&cursor) else { return nil }
        if name == "print", let printed = printedCall(cursor) {
            cursor = printed.end
            return printed.result
        }
        do throws(LiteralProblem) {
            let arguments = try PythonArguments.parse(&cursor)
            return DecodedToolCall.decoded(name: name, rawID: nil, arguments: arguments)
        } catch {
            return failure(name, reason: "the arguments have \(error.reason)")
        }
    }

    /// Reads a name up to its opening bracket.
    private static func name(_ cursor: inout ByteCursor) -> String? {
        var ahead = cursor
        let name = ahead.text(ahead.take(while: \.isNamePart))
        ahead.skipWhiteSpace()
        guard !name.isEmpty, ahead.peek == UInt8(ascii: "(") else { return nil }
        cursor = ahead
        return name
    }

    /// The call between the brackets of `print(…)`, if there is exactly that.
    private static func printedCall(_ start: ByteCursor) -> (result: ToolCallDecodingResult, end: ByteCursor)? {
        var cursor = start
        cursor.position += 1
        cursor.skipWhiteSpace()
        guard let name = name(&cursor), let arguments = try? PythonArguments.parse(&cursor) else { return nil }
        cursor.skipWhiteSpace()
        guard cursor.skip(UInt8(ascii: ")")) else { return nil }
        return (DecodedToolCall.decoded(name: name, rawID: nil, arguments: arguments), cursor)
    }

    private static func failure(_ name: String?, reason: String) -> ToolCallDecodingResult {
        .failure(.malformed(name: name, rawID: nil, reason: reason))
    }
}
