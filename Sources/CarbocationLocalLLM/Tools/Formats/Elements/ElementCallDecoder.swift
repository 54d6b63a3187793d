/// Calls as elements within elements, with a token before each tag, as MiniMax M3 writes them.
///
/// `<invoke name="name"><key>value</key><list><item>1</item></list></invoke>`: an element with the name `item` or of a
/// declared list is an element of a list, others are members of objects, and those without elements in them are values
/// as text. Because a token stands before each tag, values may hold any text.
package struct ElementCallDecoder: ToolCallBodyDecoding {
    private let namespace: Marker
    private let schemas: [String: LLMJSONValue]

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - namespace: What stands before each tag.
    ///   - tools: The declared tools, whose schemas give the values their types.
    package init(namespace: String = "]<]minimax[>[", tools: [LLMToolDefinition] = []) {
        self.namespace = Marker(namespace)
        schemas = Dictionary(tools.map { ($0.name, $0.parameters) }) { first, _ in first }
    }

    package func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        var results: [ToolCallDecodingResult] = []
        var reader = ElementReader(ByteCursor(Array(body.utf8)), namespace: namespace)
        while let call = reader.next() {
            results.append(result(of: call))
        }
        return results
    }

    private func result(of call: ElementReader.Call) -> ToolCallDecodingResult {
        guard let name = call.name, call.problem == nil else {
            let reason = call.problem ?? "the call names no tool"
            return .failure(.malformed(name: call.name, rawID: nil, reason: reason))
        }
        let names = Set(schemas.keys)
        let schema = resolvedName(name, among: names).flatMap { schemas[$0] }.map { ValueSchema($0) }
        let arguments = call.root.object(by: schema)
        return .success(DecodedToolCall(name: name, arguments: .json(arguments)))
    }
}
