/// Whether and which tools the model uses.
public enum LLMToolChoice: Sendable, Hashable {
    /// The model decides.
    case auto
    /// No tools; text that looks like a call stays text.
    case none
    /// The first reply has to be at least one call.
    case required
    /// The first reply has to be a call of this tool.
    case named(String)
}

extension LLMToolChoice: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, name
    }

    private var type: String {
        switch self {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .named: "named"
        }
    }

    /// The choice that a word stands for, if it is not a tool's name.
    private init?(word: String) {
        switch word {
        case "auto": self = .auto
        case "none": self = .none
        case "required": self = .required
        default: return nil
        }
    }

    /// Decodes `{"type":"auto"}` and its like, `{"type":"named","name":"add"}`, or a bare string.
    ///
    /// A bare string that is none of `auto`, `none` and `required` names a tool.
    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            self = Self(word: word) ?? .named(word)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let type = try container.decode(String.self, forKey: .type)
        if let choice = Self(word: type) {
            self = choice
        } else if type == "named" {
            self = .named(try container.decode(String.self, forKey: .name))
        } else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: container, debugDescription: "“\(type)” is no tool choice.")
        }
    }

    /// Encodes an object with the `type` and, for a named tool, its `name`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        if case .named(let name) = self { try container.encode(name, forKey: .name) }
    }
}
