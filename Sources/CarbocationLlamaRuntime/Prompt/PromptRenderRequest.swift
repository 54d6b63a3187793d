package import CarbocationLocalLLM

/// Everything that a chat template is given.
package struct PromptRenderRequest: Sendable {
    /// OpenAI-style array of messages.
    package var messages: LLMJSONValue
    /// OpenAI-style array of tools, nil for none.
    package var tools: LLMJSONValue?
    /// Whether llama.cpp's grammar is to be one for whole replies, thinking and text included, that end in calls.
    ///
    /// Else it is one for the calls alone.
    package var requiresToolCall = false
    package var enableThinking: Bool
    package var addsGenerationPrompt: Bool
    /// Further template variables such as `reasoning_effort`.
    package var variables: LLMJSONObject

    package init(
        messages: LLMJSONValue,
        tools: LLMJSONValue? = nil,
        enableThinking: Bool = false,
        addsGenerationPrompt: Bool = true,
        variables: LLMJSONObject = [:]
    ) {
        self.messages = messages
        self.tools = tools
        self.enableThinking = enableThinking
        self.addsGenerationPrompt = addsGenerationPrompt
        self.variables = variables
    }

    /// The request of a generation, with its messages already validated.
    init(messages: [LLMChatMessage], options: GenerationOptions, tools: ToolOffer? = nil) {
        var variables = LLMJSONObject()
        if let effort = options.reasoningEffort { variables["reasoning_effort"] = .string(effort.rawValue) }
        if let preserve = options.preserveThinking { variables["preserve_thinking"] = .bool(preserve) }
        self.init(
            messages: .array(messages.map(Self.message)), tools: tools.map { .array($0.tools.map(Self.tool)) },
            enableThinking: options.enableThinking, variables: variables)
    }

    /// The JSON form that the native renderer reads.
    var json: LLMJSONValue {
        var object: LLMJSONObject = [
            "messages": messages,
            "enable_thinking": .bool(enableThinking),
            "add_generation_prompt": .bool(addsGenerationPrompt),
        ]
        if let tools, tools.arrayValue?.isEmpty == false {
            object["tools"] = tools
            if requiresToolCall { object["tool_choice"] = "required" }
        }
        if !variables.keys.isEmpty { object["kwargs"] = .object(variables) }
        return .object(object)
    }

    private static func message(_ message: LLMChatMessage) -> LLMJSONValue {
        var object: LLMJSONObject = [
            "role": .string(message.role.rawValue), "content": .string(message.content),
        ]
        if let reasoning = message.reasoningContent, !reasoning.isEmpty {
            object["reasoning_content"] = .string(reasoning)
        }
        if !message.toolCalls.isEmpty { object["tool_calls"] = .array(message.toolCalls.map(toolCall)) }
        if let id = message.toolCallID { object["tool_call_id"] = .string(id) }
        if let name = message.toolName { object["name"] = .string(name) }
        return .object(object)
    }

    private static func tool(_ tool: LLMToolDefinition) -> LLMJSONValue {
        ["type": "function", "function": tool.json]
    }

    private static func toolCall(_ call: LLMToolCall) -> LLMJSONValue {
        [
            "id": .string(call.id),
            "type": "function",
            "function": ["name": .string(call.name), "arguments": call.arguments],
        ]
    }
}
