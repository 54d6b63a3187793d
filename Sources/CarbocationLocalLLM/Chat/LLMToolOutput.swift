/// What a tool answered to a call.
public struct LLMToolOutput: Sendable, Hashable, Identifiable {
    /// The id of the call that is answered.
    public var callID: String
    /// The tool's name.
    public var name: String
    /// The answer.
    public var content: LLMJSONValue
    /// Whether the call failed; the content then says why.
    public var isError: Bool

    /// The id of the call.
    public var id: String { callID }

    /// Creates an output.
    public init(callID: String, name: String, content: LLMJSONValue, isError: Bool = false) {
        self.callID = callID
        self.name = name
        self.content = content
        self.isError = isError
    }
}

extension LLMToolOutput: Codable {
    private enum CodingKeys: String, CodingKey {
        case callID, name, content, isError
    }

    /// Decodes an output; a missing `isError` is false.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        callID = try container.decode(String.self, forKey: .callID)
        name = try container.decode(String.self, forKey: .name)
        content = try container.decode(LLMJSONValue.self, forKey: .content)
        isError = try container.decode(forKey: .isError, default: false)
    }
}
