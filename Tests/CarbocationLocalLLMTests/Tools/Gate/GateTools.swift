import CarbocationLocalLLM

/// Tools that the gate's tests declare.
enum GateTools {
    static func tool(_ name: String, _ properties: LLMJSONValue = [:], required: [String] = []) -> LLMToolDefinition {
        LLMToolDefinition(
            name: name, description: "A tool.",
            parameters: [
                "type": "object", "properties": properties,
                "required": .array(required.map { .string($0) }),
            ])
    }

    static let add = tool("add", ["a": ["type": "number"], "b": ["type": "number"]])
    static let say = tool("say", ["text": ["type": "string"], "t": ["type": "string"]])
    static let now = tool("now")
    static let all = [add, say, now]
}

extension ToolGate {
    /// A gate for a family and tools.
    static func of(
        _ family: ToolCallSyntax.Family, _ tools: [LLMToolDefinition] = GateTools.all, template: String = ""
    ) -> ToolGate {
        ToolGate(syntax: ToolCallSyntax(family, template: template), tools: tools)
    }
}
