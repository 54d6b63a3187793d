/// Calls as a name and arguments in JSON; see ``NamedJSONCallSyntax``.
///
/// The search for the parts of a call ends at the next call's start marker, unless that stands in a string. A body that
/// is JSON as a whole is decoded by ``JSONCallDecoder``, because families changed from one form to the other.
package struct NamedJSONCallDecoder: ToolCallBodyDecoding {
    private let syntax: NamedJSONCallSyntax

    package init(_ syntax: NamedJSONCallSyntax) {
        self.syntax = syntax
    }

    package func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        let bytes = Array(body.utf8)
        var start = ByteCursor(bytes)
        start.skipWhiteSpace()
        _ = start.skip(syntax.start)
        start.skipWhiteSpace()
        if JSONText.begins(at: start), !start.isNext(syntax.separator) {
            return JSONCallDecoder().decode(start)
        }
        var reader = NamedJSONCallReader(bytes, syntax)
        reader.read()
        return reader.results
    }
}
