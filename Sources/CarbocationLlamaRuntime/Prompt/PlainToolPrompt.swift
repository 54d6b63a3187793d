import CarbocationLocalLLM

/// A conversation with tools for a template that knows none: the system text lists them, and calls are JSON text.
enum PlainToolPrompt {
    /// The conversation in the roles that such templates have.
    ///
    /// The tools' list follows the system text. Calls become text of the assistant, as it would write them; the outputs
    /// behind them, in the order of the calls, come from the user.
    static func messages(_ messages: [LLMChatMessage], offer: ToolOffer?) -> [LLMChatMessage] {
        var result: [LLMChatMessage] = []
        var outputs: [LLMJSONValue] = []
        for message in messages {
            if message.role == .tool {
                outputs.append(output(message))
                continue
            }
            if message.role == .user, let text = take(&outputs) {
                // Such templates want user and assistant in turn.
                var joined = message
                joined.content = text + "\n\n" + message.content
                result.append(joined)
                continue
            }
            appendOutputs(&outputs, to: &result)
            result.append(message.toolCalls.isEmpty ? message : withCallsAsText(message))
        }
        appendOutputs(&outputs, to: &result)
        if let offer { describe(offer, in: &result) }
        return result
    }

    private static func describe(_ offer: ToolOffer, in messages: inout [LLMChatMessage]) {
        let list = description(of: offer)
        if let first = messages.first, first.role == .system {
            messages[0].content = first.content + "\n\n" + list
        } else {
            messages.insert(LLMChatMessage(role: .system, content: list), at: 0)
        }
    }

    private static func description(of offer: ToolOffer) -> String {
        let tools = offer.tools.map { $0.json.jsonString() }
        return """
            You can call tools. These are the tools, one per line, with JSON schemas of their parameters:
            \(tools.joined(separator: "\n"))
            To call tools, reply with nothing but one JSON object of this form, with one element for each call:
            {"tool_calls":[{"name":"NAME","arguments":{}}]}
            Their outputs are in the next message.
            """ + (offer.isCallRequired ? "" : " Without need for a tool, reply with plain text.")
    }

    private static func withCallsAsText(_ message: LLMChatMessage) -> LLMChatMessage {
        let calls = message.toolCalls.map { call -> LLMJSONValue in
            ["name": .string(call.name), "arguments": call.arguments]
        }
        let wrapper: LLMJSONValue = ["tool_calls": .array(calls)]
        var text = message
        text.toolCalls = []
        text.content = message.content.isEmpty ? wrapper.jsonString() : message.content + "\n" + wrapper.jsonString()
        return text
    }

    private static func output(_ message: LLMChatMessage) -> LLMJSONValue {
        var object = LLMJSONObject()
        if let name = message.toolName { object["name"] = .string(name) }
        object["output"] = (try? LLMJSONValue(jsonString: message.content)) ?? .string(message.content)
        return .object(object)
    }

    private static func appendOutputs(_ outputs: inout [LLMJSONValue], to messages: inout [LLMChatMessage]) {
        if let text = take(&outputs) { messages.append(LLMChatMessage(role: .user, content: text)) }
    }

    private static func take(_ outputs: inout [LLMJSONValue]) -> String? {
        guard !outputs.isEmpty else { return nil }
        defer { outputs = [] }
        let object: LLMJSONValue = ["tool_outputs": .array(outputs)]
        return object.jsonString()
    }
}
