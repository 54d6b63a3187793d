/// Reads calls from their tags; see ``TaggedCallDecoder``.
struct TaggedCallReader {
    /// A function whose end was not read yet.
    private struct OpenFunction {
        let name: String
        var arguments: [TaggedArgument] = []
        var argumentsByKey: [String: TaggedArgument] = [:]
        /// Whether a text ended without its closing tag, at the next parameter.
        var hasUnclosedText = false
        /// Whether a value or the function itself ended otherwise than the syntax has it.
        var endsLoosely = false
        /// Why there is no call.
        var problem: String?
    }

    private(set) var results: [ToolCallDecodingResult] = []
    /// Which results are calls that end loosely: if what follows is no call, it may be a part of them.
    private var looseResults: [Int] = []
    private let cursor: ByteCursor
    private let syntax: TaggedCallSyntax
    private let parameters: DeclaredParameters
    private let following: TagFollowing
    private var tags: [CallTag] = []
    private var function: OpenFunction?
    private var value: OpenTagValue?
    /// Where the last tag that counts ended.
    private var tagEnd: Int

    init(_ cursor: ByteCursor, _ syntax: TaggedCallSyntax, _ parameters: DeclaredParameters) {
        self.cursor = cursor
        self.syntax = syntax
        self.parameters = parameters
        following = TagFollowing(cursor, fillers: syntax.fillers.map { Marker($0) }, parameters: parameters)
        tagEnd = cursor.position
    }

    mutating func read() {
        if syntax.function.prefix.isEmpty { readLeadingName() }
        tags = CallTagScanner(syntax).tags(in: ByteCursor(cursor.bytes, tagEnd..<cursor.end))
        following.mark(&tags)
        for index in tags.indices {
            if value == nil { readBetweenValues(tags[index]) } else { readInsideValue(index) }
            // Where a call is open to doubt, so is what follows: it may be a part of that call.
            if function?.problem != nil { return finishFunction() }
        }
        if let value {
            function?.problem = "the parameter \(value.key) has no end"
        } else {
            readGap(before: cursor.end)
        }
        finishFunction()
    }

    // MARK: - Between values

    /// Reads the name where it stands at the beginning without a tag: up to the first tag or the end of the line.
    private mutating func readLeadingName() {
        var cursor = cursor
        let end = Marker(syntax.function.end)
        let start = cursor.position
        while let byte = cursor.peek, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "{"), byte != 0x0A {
            if cursor.isNext(end) { break }
            cursor.position += 1
        }
        let name = cursor.trimmedText(start..<cursor.position)
        _ = cursor.skip(end)
        tagEnd = cursor.position
        if name.isEmpty {
            fail(name: nil, reason: "the call names no tool")
        } else {
            function = OpenFunction(name: name)
        }
    }

    private mutating func readBetweenValues(_ tag: CallTag) {
        readGap(before: tag.range.lowerBound)
        tagEnd = tag.range.upperBound
        switch tag.kind {
        case .functionOpening:
            finishFunction()
            function = OpenFunction(name: tag.name)
        case .functionClosing: finishFunction(isClosed: true)
        case .valueClosing:
            // It may close a value that seemed to end earlier.
            if function?.arguments.isEmpty == true, !looseResults.isEmpty { function?.problem = Self.closingInDoubt }
        case .parameterOpening: openValue(tag)
        }
    }

    /// Looks at what stands between the last tag and the next, where nothing should.
    private mutating func readGap(before end: Int) {
        let gap = tagEnd..<end
        guard !following.isBlank(gap) else { return }
        guard function != nil else {
            if results.isEmpty { fail(name: nil, reason: "the call names no tool") }
            return
        }
        function?.problem = "text stands outside of the parameters"
    }

    private mutating func openValue(_ tag: CallTag) {
        guard let function else {
            value = nil
            if results.isEmpty { fail(name: nil, reason: "a parameter stands outside of a function") }
            return
        }
        value = OpenTagValue(
            tag, isPlainScalar: parameters.isPlainScalar(tag.name, in: function.name), text: cursor, syntax)
    }

    // MARK: - Inside a value

    private mutating func readInsideValue(_ index: Int) {
        let tag = tags[index]
        let next = index + 1 < tags.count ? tags[index + 1] : nil
        guard let name = function?.name, var value else { return }
        let isAllowed = { (tag: CallTag) in
            tag.kind == .functionOpening ? parameters.allowsTool(tag.name) : parameters.allows(tag.name, in: name)
        }
        let role = value.role(of: tag, before: next, isAllowed: isAllowed)
        self.value = value
        switch role {
        case .text: return
        case .opensFunction: function?.problem = "a function begins inside of the parameter \(value.key)"
        case .endsWithDoubt: function?.problem = "it is open to doubt where the parameter \(value.key) ends"
        case .ends: closeValue(at: tag)
        }
    }

    /// Ends the open value at a tag, and goes on with that tag unless it only closed the value.
    private mutating func closeValue(at tag: CallTag) {
        if let value { end(value, at: tag) }
        value = nil
        tagEnd = tag.range.lowerBound
        readBetweenValues(tag)
    }

    private mutating func end(_ value: OpenTagValue, at tag: CallTag) {
        append(value.argument(before: tag.range.lowerBound))
        if value.endsLoosely(at: tag) { function?.endsLoosely = true }
        if tag.kind == .parameterOpening, !value.isPlainScalar { function?.hasUnclosedText = true }
        // A closing tag is missing before and there is one too many here: together they may be part of a text.
        if value.holdsClosingTag, function?.hasUnclosedText == true { function?.problem = Self.closingInDoubt }
    }

    private static let closingInDoubt = "it is open to doubt which parameters the closing tags belong to"

    private mutating func append(_ argument: TaggedArgument) {
        let earlier = function?.argumentsByKey.updateValue(argument, forKey: argument.key)
        if let earlier, earlier != argument { function?.problem = "the parameter \(argument.key) is given twice" }
        if earlier == nil { function?.arguments.append(argument) }
    }

    // MARK: - Results

    private mutating func finishFunction(isClosed: Bool = false) {
        guard let function else { return }
        self.function = nil
        if let problem = function.problem {
            for index in looseResults { results[index] = results[index].rejected(because: problem) }
            return fail(name: function.name, reason: problem)
        }
        if function.endsLoosely || !isClosed { looseResults.append(results.count) }
        results.append(.success(DecodedToolCall(name: function.name, arguments: .tagged(function.arguments))))
    }

    private mutating func fail(name: String?, reason: String) {
        results.append(.failure(.malformed(name: name, rawID: nil, reason: reason)))
    }
}
