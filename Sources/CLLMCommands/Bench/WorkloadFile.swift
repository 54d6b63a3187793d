import CarbocationLocalLLM

/// A ``Workload`` as JSON: `context`, `slots` and `conversations`, each with `system` and `turns`, each of which has
/// `prompt`, `maxTokens` and, if it is to be restricted, `jsonSchema`.
struct WorkloadFile {
    /// More than any machine serves; what is larger is a mistake.
    static let largestNumber = 1 << 20

    /// The workload in a JSON text; errors call the text `name`.
    static func workload(in text: String, named name: String) throws -> Workload {
        let value: LLMJSONValue
        do {
            value = try LLMJSONValue(jsonString: text)
        } catch {
            throw CommandFailure(.invalidInput, "\(name) is not JSON: \(FailureReport(error).message)")
        }
        let file = WorkloadFile(name: name)
        let conversations = try file.elements("conversations", of: value, at: "the workload")
        return Workload(
            context: try file.number("context", of: value, at: "the workload"),
            slots: try file.number("slots", of: value, at: "the workload"),
            conversations: try conversations.enumerated().map { index, conversation in
                try file.conversation(conversation, at: "conversation \(index + 1)")
            })
    }

    private let name: String

    private func conversation(_ value: LLMJSONValue, at place: String) throws -> Workload.Conversation {
        let turns = try elements("turns", of: value, at: place)
        return Workload.Conversation(
            system: try text("system", of: value, at: place) ?? "",
            turns: try turns.enumerated().map { index, turn in try self.turn(turn, at: "\(place), turn \(index + 1)") })
    }

    private func turn(_ value: LLMJSONValue, at place: String) throws -> Workload.Turn {
        guard let prompt = try text("prompt", of: value, at: place) else { throw problem("\(place) has no prompt") }
        return Workload.Turn(
            prompt: prompt, maximumTokens: try number("maxTokens", of: value, at: place),
            jsonSchema: value.value(forKey: "jsonSchema"))
    }

    private func elements(_ key: String, of value: LLMJSONValue, at place: String) throws -> [LLMJSONValue] {
        if let elements = value.value(forKey: key)?.arrayValue, !elements.isEmpty { return elements }
        throw problem("\(place) needs \(key), an array with at least one element")
    }

    private func number(_ key: String, of value: LLMJSONValue, at place: String) throws -> Int {
        if case .int(let number)? = value.value(forKey: key), (1...Int64(Self.largestNumber)).contains(number) {
            return Int(number)
        }
        throw problem("\(place) needs \(key), a whole number from 1 to \(Self.largestNumber)")
    }

    private func text(_ key: String, of value: LLMJSONValue, at place: String) throws -> String? {
        switch value.value(forKey: key) {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw problem("\(place) has a value for \(key) that is not text")
        }
    }

    private func problem(_ text: String) -> CommandFailure {
        CommandFailure(.invalidInput, "\(name): \(text).")
    }
}
