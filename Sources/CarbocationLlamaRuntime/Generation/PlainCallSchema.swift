import CarbocationLocalLLM

/// The JSON schema of calls that are plain JSON.
struct PlainCallSchema {
    private let tools: [LLMToolDefinition]
    private let isRequired: Bool
    private let isWrapped: Bool
    private let nameKey: String
    private let argumentsKey: String

    init(_ offer: ToolOffer, syntax: ToolCallSyntax, format: ChatFormat) {
        tools = offer.tools
        isRequired = offer.isCallRequired
        isWrapped = syntax.acceptsWrapper
        let analysed = syntax.family == .analysed ? format.toolMarkers : nil
        nameKey = analysed?.nameField ?? "name"
        argumentsKey = analysed?.argumentsField ?? (syntax.family == .llama ? "parameters" : "arguments")
    }

    /// The grammar for calls with arguments as the tools' schemas say.
    ///
    /// A schema that no grammar can express leaves the arguments open, because they are checked anyway.
    func grammar() throws -> String {
        if let text = try? NativeGrammar.text(of: schema(parameters: tools.map(\.parameters))) { return text }
        let parameters = tools.map { tool in
            (try? NativeGrammar.text(of: tool.parameters)) == nil ? ["type": "object"] : tool.parameters
        }
        return try NativeGrammar.text(of: schema(parameters: parameters))
    }

    private func schema(parameters: [LLMJSONValue]) -> LLMJSONValue {
        let calls = zip(tools, parameters).enumerated().map { index, tool in
            let place = "#/$defs/call/anyOf/\(index)/properties/\(argumentsKey)"
            return Self.object([
                (nameKey, ["const": .string(tool.0.name)]), (argumentsKey, tool.1.withReferences(to: place)),
            ])
        }
        let call: LLMJSONValue = ["$ref": "#/$defs/call"]
        let list: LLMJSONValue = ["type": "array", "items": call, "minItems": 1]
        let wrapper = Self.object([("tool_calls", list)])
        // Where a call is required, one way to write it is enough.
        let ways = isRequired ? [isWrapped ? wrapper : call] : isWrapped ? [wrapper, call, list] : [call, list]
        return ["anyOf": .array(ways), "$defs": ["call": ["anyOf": .array(calls)]]]
    }

    private static func object(_ members: [(String, LLMJSONValue)]) -> LLMJSONValue {
        [
            "type": "object",
            "properties": .object(LLMJSONObject(members)),
            "required": .array(members.map { .string($0.0) }),
        ]
    }
}

extension LLMJSONValue {
    /// A schema whose references into itself are to be found at `place` of another one.
    fileprivate func withReferences(to place: String) -> LLMJSONValue {
        guard let object = objectValue else {
            return arrayValue.map { .array($0.map { $0.withReferences(to: place) }) } ?? self
        }
        return .object(
            LLMJSONObject(
                object.pairs.map { key, value in
                    if key == "$ref", let reference = value.stringValue, reference.first == "#" {
                        return (key, .string(place + reference.dropFirst()))
                    }
                    return (key, value.withReferences(to: place, contentOf: key))
                }))
    }
    private func withReferences(to place: String, contentOf keyword: String) -> LLMJSONValue {
        switch SchemaContent(of: keyword) {
        case .data: return self
        case .schema: return withReferences(to: place)
        case .namedSchemas:
            guard let schemas = objectValue else { return self }
            return .object(LLMJSONObject(schemas.pairs.map { ($0, $1.withReferences(to: place)) }))
        }
    }
}
