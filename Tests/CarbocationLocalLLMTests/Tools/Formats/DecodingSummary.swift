import CarbocationLocalLLM

/// Decoders' results as short texts: `name {…}` for a call, with `#id` before it, and `!name` for a failure.
///
/// Arguments are typed by the schema of the tool, if one of that name is given.
func describe(_ results: [ToolCallDecodingResult], tools: [LLMToolDefinition] = []) -> [String] {
    results.map { result in
        switch result {
        case .success(let call):
            let schema = tools.first { $0.name == call.name }?.parameters
            let id = call.rawID.map { "#\($0) " } ?? ""
            return id + call.name + " " + call.arguments.object(for: schema).jsonString()
        case .failure(.malformed(let name, let rawID, _)):
            return (rawID.map { "#\($0) " } ?? "") + "!" + (name ?? "")
        }
    }
}

extension ToolCallBodyDecoding {
    /// The summary of a body's results.
    func summary(of body: String, tools: [LLMToolDefinition] = []) -> [String] {
        describe(decode(body[...]), tools: tools)
    }
}

extension LLMToolDefinition {
    /// A tool with these parameters.
    init(_ name: String, _ properties: LLMJSONObject, required: [LLMJSONValue] = []) {
        self.init(
            name: name, description: "A tool.",
            parameters: ["type": "object", "properties": .object(properties), "required": .array(required)])
    }
}

/// Tools as the tests declare them.
enum SampleTools {
    static let add = LLMToolDefinition("add", ["a": ["type": "number"], "b": ["type": "number"]])
    static let write = LLMToolDefinition("write", ["path": ["type": "string"], "text": ["type": "string"]])
    static let shell = LLMToolDefinition("sh", ["cmd": ["type": "string"]])
    static let find = LLMToolDefinition("find", ["limit": ["type": "integer"], "q": ["type": "string"]])
    static let typed = LLMToolDefinition(
        "typed",
        [
            "n": ["type": "number"], "zip": ["type": "string"], "ok": ["type": "boolean"],
            "tags": ["type": "array"], "config": ["type": "object"],
        ])
    static let now = LLMToolDefinition("now", [:])

    static let all = [add, write, shell, find, typed, now]
}
