import CarbocationLocalLLM

/// Tools in a file: a JSON array as in OpenAI's API.
struct ToolFile: Sendable, Hashable {
    let json: LLMJSONValue
    let definitions: [LLMToolDefinition]

    init(text: String, named name: String) throws {
        let objects = try MessageFile.objects(in: text, named: name)
        json = .array(objects.map { .object($0) })
        definitions = try objects.enumerated().map { index, object in
            // The function may also stand by itself.
            let function = object["function"] ?? .object(object)
            guard let toolName = function.value(forKey: "name")?.stringValue, !toolName.isEmpty else {
                throw CommandFailure(.invalidInput, "\(name): tool \(index) has no name.")
            }
            return LLMToolDefinition(
                name: toolName, description: function.string(forKey: "description") ?? "",
                parameters: function.value(forKey: "parameters") ?? LLMToolDefinition.noParameters)
        }
    }
}
