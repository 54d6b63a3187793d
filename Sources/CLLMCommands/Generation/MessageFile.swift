import CarbocationLocalLLM

/// Conversations written as OpenAI-style JSON.
struct MessageFile {
    /// The messages of a JSON text, an array of message objects; errors call the text `name`.
    static func messages(in text: String, named name: String) throws -> [LLMChatMessage] {
        try objects(in: text, named: name).enumerated().map { index, object in
            try MessageFile(name: name, number: index + 1, object: object).message()
        }
    }

    /// The elements of a JSON text that must be an array of objects.
    static func objects(in text: String, named name: String) throws -> [LLMJSONObject] {
        let value: LLMJSONValue
        do {
            value = try LLMJSONValue(jsonString: text)
        } catch {
            throw CommandFailure(.invalidInput, "\(name) is not JSON: \(FailureReport(error).message)")
        }
        guard let elements = value.arrayValue else {
            throw CommandFailure(.invalidInput, "\(name) must hold a JSON array of objects.")
        }
        return try elements.enumerated().map { index, element in
            if let object = element.objectValue { return object }
            throw CommandFailure(.invalidInput, "\(name): element \(index + 1) of the array is not an object.")
        }
    }

    private let name: String
    private let number: Int
    private let object: LLMJSONObject

    private func message() throws -> LLMChatMessage {
        LLMChatMessage(
            role: try role(), content: try content(), reasoningContent: try optionalText("reasoning_content"),
            toolCalls: try toolCalls(), toolCallID: try optionalText("tool_call_id"),
            toolName: try optionalText("name"))
    }

    private func role() throws -> LLMChatRole {
        guard let text = try optionalText("role") else { throw problem("has no role") }
        if let role = LLMChatRole(rawValue: text) { return role }
        let known = LLMChatRole.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem("has the role '\(text)', which is not one of \(known)")
    }

    /// The text, or the joined text parts, of the content.
    private func content() throws -> String {
        switch object["content"] {
        case nil, .null?: return ""
        case .string(let text)?: return text
        case .array(let parts)?: return try parts.map(textPart).joined(separator: "\n")
        default: throw problem("has a content that is neither text nor an array of text parts")
        }
    }

    private func textPart(_ part: LLMJSONValue) throws -> String {
        guard part.value(forKey: "type") == "text", case .string(let text)? = part.value(forKey: "text") else {
            throw problem("has a content part that is not of the type 'text'; only text is supported")
        }
        return text
    }

    private func toolCalls() throws -> [LLMToolCall] {
        switch object["tool_calls"] {
        case nil, .null?: return []
        case .array(let calls)?: return try calls.enumerated().map { try toolCall($1, number: $0 + 1) }
        default: throw problem("has tool_calls that are not an array")
        }
    }

    private func toolCall(_ call: LLMJSONValue, number: Int) throws -> LLMToolCall {
        guard let function = call.value(forKey: "function"), case .string(let name)? = function.value(forKey: "name")
        else { throw problem("has a tool call without a function name") }
        guard case .string(let id)? = call.value(forKey: "id"), !id.isEmpty else {
            throw problem("has a tool call without an id")
        }
        return LLMToolCall(executionID: id, rawID: id, name: name, arguments: try arguments(of: function, call: name))
    }

    /// The arguments as a value, whether they are written as JSON or as a text that holds JSON.
    private func arguments(of function: LLMJSONValue, call: String) throws -> LLMJSONValue {
        let arguments: LLMJSONValue?
        switch function.value(forKey: "arguments") {
        case nil, .null?, .string("")?: arguments = [:]
        case .string(let text)?: arguments = try? LLMJSONValue(jsonString: text)
        case let value?: arguments = value
        }
        if let arguments, arguments.objectValue != nil { return arguments }
        throw problem("calls \(call) with arguments that are not a JSON object")
    }

    private func optionalText(_ key: String) throws -> String? {
        switch object[key] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw problem("has a value for \(key) that is not text")
        }
    }

    private func problem(_ text: String) -> CommandFailure {
        CommandFailure(.invalidInput, "\(name): message \(number) \(text).")
    }
}
