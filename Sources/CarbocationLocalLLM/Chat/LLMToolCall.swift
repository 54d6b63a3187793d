/// A model's wish to use a tool.
public struct LLMToolCall: Sendable, Hashable, Identifiable {
    /// The call's unique id within the conversation; outputs refer to it.
    public var executionID: String
    /// The id as the model wrote it, if it wrote one.
    public var rawID: String?
    /// The tool's name.
    public var name: String
    /// The arguments, an object in a well-formed call.
    public var arguments: LLMJSONValue
    /// The phase in which the model wrote the call.
    public var triggerPhase: LLMStreamContentPhase?

    /// The execution id.
    public var id: String { executionID }

    /// Creates a call.
    public init(
        executionID: String,
        rawID: String? = nil,
        name: String,
        arguments: LLMJSONValue,
        triggerPhase: LLMStreamContentPhase? = nil
    ) {
        self.executionID = executionID
        self.rawID = rawID
        self.name = name
        self.arguments = arguments
        self.triggerPhase = triggerPhase
    }
}

extension LLMToolCall: Codable {
    private enum CodingKeys: String, CodingKey {
        case executionID, rawID, name, arguments, triggerPhase
    }

    private enum AlternativeKeys: String, CodingKey {
        case id
    }

    /// Decodes a call; a lone `id` stands for the execution id, missing arguments for an empty object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.executionID) {
            executionID = try container.decode(String.self, forKey: .executionID)
        } else {
            let alternatives = try decoder.container(keyedBy: AlternativeKeys.self)
            executionID = try alternatives.decode(String.self, forKey: .id)
        }
        rawID = try container.decodeIfPresent(String.self, forKey: .rawID)
        name = try container.decode(String.self, forKey: .name)
        arguments =
            container.contains(.arguments) ? try container.decode(LLMJSONValue.self, forKey: .arguments) : [:]
        triggerPhase = try container.decodeIfPresent(LLMStreamContentPhase.self, forKey: .triggerPhase)
    }
}
