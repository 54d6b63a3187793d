/// Reads calls as a name and arguments in JSON; see ``NamedJSONCallDecoder``.
struct NamedJSONCallReader {
    /// What stands before the arguments.
    private struct Head {
        var name: String
        var rawID: String?
        /// Whether what divides it from the arguments was there.
        var hasSeparator = false
    }

    private(set) var results: [ToolCallDecodingResult] = []
    private let syntax: NamedJSONCallSyntax
    /// Whether a call was malformed, after which only JSON is accepted, as in lists.
    private var hasMalformed = false
    private var cursor: ByteCursor

    init(_ bytes: [UInt8], _ syntax: NamedJSONCallSyntax) {
        cursor = ByteCursor(bytes)
        self.syntax = syntax
    }

    mutating func read() {
        while true {
            let isAnnounced = skipBetweenCalls() || results.isEmpty
            guard !cursor.isAtEnd else { return }
            guard isAnnounced || isNameNext else { return readRest() }
            readCall()
        }
    }

    /// Steps over what may stand between calls; true if a start marker was among it.
    private mutating func skipBetweenCalls() -> Bool {
        var hasStart = false
        while let byte = cursor.peek {
            if cursor.skip(syntax.start) {
                hasStart = true
            } else if cursor.skip(syntax.close) || cursor.skip(Self.fence) {
                continue
            } else if byte.isSpacing || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") {
                cursor.position += 1
            } else {
                break
            }
        }
        return hasStart
    }

    private static let fence: Marker = "```"

    /// Whether a name and what ends one come next, although no start marker does.
    private var isNameNext: Bool {
        var ahead = cursor
        guard !ahead.take(while: \.isNamePart).isEmpty else { return false }
        if case .afterName(let start) = syntax.identifier, ahead.isNext(start) { return true }
        return ahead.isNext(syntax.separator) || ahead.peek == UInt8(ascii: "{")
    }

    private mutating func readCall() {
        let head = readHead()
        guard !head.name.isEmpty else {
            fail(name: nil, rawID: head.rawID, reason: "the call has no name")
            return recover()
        }
        skipFence()
        readArguments(of: head)
    }

    private mutating func readHead() -> Head {
        var rawID: String?
        if case .beforeName(let end) = syntax.identifier {
            rawID = nonBlank(take(before: end))
            _ = cursor.skip(end)
        }
        var head = Head(name: takeName(), rawID: rawID)
        if case .afterName(let start) = syntax.identifier, cursor.skip(start) {
            head.rawID = nonBlank(take(before: syntax.separator))
        }
        head.hasSeparator = cursor.skip(syntax.separator)
        adjust(&head)
        return head
    }

    /// Reads the name: up to what may follow a name, or the end of its line.
    private mutating func takeName() -> String {
        if case .afterName(let start) = syntax.identifier { return take(before: start, syntax.separator) }
        return take(before: syntax.separator)
    }

    /// Reads up to a marker, the next call, the arguments or the end of the line, and trims that.
    private mutating func take(before markers: Marker...) -> String {
        cursor.skipWhiteSpace()
        let start = cursor.position
        while let byte = cursor.peek, byte != UInt8(ascii: "{"), byte != 0x0A {
            let isEnd = cursor.isNext(syntax.start) || cursor.isNext(syntax.close)
            if isEnd || markers.contains(where: { cursor.isNext($0) }) { break }
            cursor.position += 1
        }
        return cursor.trimmedText(start..<cursor.position)
    }

    private func nonBlank(_ text: String) -> String? {
        text.isEmpty ? nil : text
    }

    private mutating func adjust(_ head: inout Head) {
        switch syntax.nameStyle {
        case .plain: break
        case .numbered:
            let id = NumberedCallID(head.name)
            head.name = id.name
            head.rawID = id.rawID
        case .typed:
            cursor.skipWhiteSpace()
            guard head.hasSeparator, head.name == "function", cursor.peek != UInt8(ascii: "{") else { return }
            head.name = takeTypedName()
        }
    }

    /// Reads a name in a line of its own, which a fence may end too.
    private mutating func takeTypedName() -> String {
        take(before: Self.fence)
    }

    /// Steps over a fence's beginning, with its language.
    private mutating func skipFence() {
        cursor.skipWhiteSpace()
        guard cursor.skip(Self.fence) else { return }
        _ = cursor.take { $0.isNamePart }
        cursor.skipWhiteSpace()
    }

    private mutating func readArguments(of head: Head) {
        let start = cursor.position
        let end = argumentsEnd()
        cursor.position = end.position
        guard start < end.position else {
            return readMissingArguments(of: head)
        }
        guard end.isComplete else {
            return fail(name: head.name, rawID: head.rawID, reason: "the arguments are cut off")
        }
        guard let value = JSONText.value(cursor.bytes, start..<end.position, isStrict: hasMalformed) else {
            return fail(name: head.name, rawID: head.rawID, reason: "the arguments are no valid JSON")
        }
        results.append(DecodedToolCall.decoded(name: head.name, rawID: head.rawID, arguments: value))
    }

    private mutating func readMissingArguments(of head: Head) {
        guard syntax.allowsMissingArguments, head.hasSeparator else {
            return fail(name: head.name, rawID: head.rawID, reason: "the call has no arguments")
        }
        results.append(DecodedToolCall.decoded(name: head.name, rawID: head.rawID, arguments: nil))
    }

    /// The place after the arguments' JSON value, whatever its kind; the cursor's place if there is none.
    private func argumentsEnd() -> (isComplete: Bool, position: Int) {
        switch cursor.peek {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return JSONText.end(from: cursor, before: syntax.start)
        case UInt8(ascii: "\""):
            var string = cursor
            var quote = QuoteScanner(quote: UInt8(ascii: "\""), allowsTriple: false)
            string.position += 1
            while let byte = string.peek {
                string.position += 1
                if quote.step(byte) == .closes { return (true, string.position) }
            }
            return (false, string.position)
        default:
            var word = cursor
            while let byte = word.peek, !byte.isSpacing, !word.isNext(syntax.start), !word.isNext(syntax.close) {
                word.position += 1
            }
            return (true, word.position)
        }
    }

    /// Goes on at the next call after one whose name could not be read.
    private mutating func recover() {
        while !cursor.isAtEnd, !cursor.isNext(syntax.start) { cursor.position += 1 }
    }

    /// Ends with text that is no call: prose after calls is harmless.
    private mutating func readRest() {
        if TrailingText.continuesCall(cursor), let last = results.popLast() {
            results.append(last.rejected(because: "text follows the arguments that belongs to no call"))
        }
        cursor.position = cursor.end
    }

    private mutating func fail(name: String?, rawID: String?, reason: String) {
        hasMalformed = true
        results.append(.failure(.malformed(name: name, rawID: rawID, reason: reason)))
    }
}
