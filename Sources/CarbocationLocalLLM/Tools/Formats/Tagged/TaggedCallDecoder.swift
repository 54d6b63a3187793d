/// Calls with a tag for each argument; see ``TaggedCallSyntax``.
///
/// The syntaxes escape nothing, so that a value may hold what looks like a tag. These rules tell which is which:
///
/// - A closing tag counts where nothing but white space stands between it and another tag that counts, or the end, and
///   where it starts a line. It need not start one if the value began in the line of its opening tag, or if no closing
///   tag that starts a line follows.
/// - A value whose closing tag is missing ends at the next opening tag that starts a line, if the tool has that
///   parameter; a number or boolean ends at any such tag. Other opening tags are part of the value, together with
///   closing tags of their own.
/// - Closing tags too many are left out of account.
/// - Where doubt remains, a call is a failure: a function that opens inside a value, text between tags, a parameter
///   given twice with different values, a value without an end, a closing tag too many after one that is missing, and
///   calls without all their closing tags before something that is no call.
package struct TaggedCallDecoder: ToolCallBodyDecoding {
    private let syntax: TaggedCallSyntax
    private let parameters: DeclaredParameters

    /// Creates a decoder; the declared tools tell parameters from what only looks like one.
    package init(_ syntax: TaggedCallSyntax, tools: [LLMToolDefinition] = []) {
        self.syntax = syntax
        parameters = DeclaredParameters(tools: tools)
    }

    /// Decodes the body.
    ///
    /// One that is JSON as a whole is decoded by ``JSONCallDecoder``, one with JSON behind the name by
    /// ``NamedJSONCallDecoder``.
    package func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        var cursor = ByteCursor(Array(body.utf8))
        cursor.skipWhiteSpace()
        guard !cursor.isAtEnd else { return [] }
        let isTag = cursor.isNext(Marker(syntax.function.prefix)) || cursor.isNext(Marker(syntax.parameter.prefix))
        if !isTag, JSONText.begins(at: cursor) { return JSONCallDecoder().decode(cursor) }
        if hasJSONArguments(cursor) { return NamedJSONCallDecoder(syntax.withJSONArguments).decode(body) }
        var reader = TaggedCallReader(cursor, syntax, parameters)
        reader.read()
        return reader.results
    }

    /// Whether an object follows the name of the first function.
    private func hasJSONArguments(_ cursor: ByteCursor) -> Bool {
        var cursor = cursor
        guard cursor.skip(Marker(syntax.function.prefix)) || syntax.function.prefix.isEmpty else { return false }
        _ = cursor.take(while: \.isNamePart)
        _ = cursor.skip(Marker(syntax.function.suffix))
        cursor.skipWhiteSpace()
        return cursor.peek == UInt8(ascii: "{")
    }
}

extension TaggedCallSyntax {
    /// The same tags around functions, with arguments as one JSON object in place of the parameters.
    fileprivate var withJSONArguments: NamedJSONCallSyntax {
        NamedJSONCallSyntax(
            start: Marker(function.prefix), separator: Marker(function.suffix), close: Marker(functionClose),
            allowsMissingArguments: !functionClose.isEmpty)
    }
}
