public import Foundation

/// The model a user chose: one from the library, or one of the system's.
///
/// Stored and encoded as one plain string, see ``storageValue``.
public enum LLMModelSelection: Sendable, Hashable {
    /// A model in the library, by its id.
    case installed(UUID)
    /// A model that comes with the operating system.
    case system(LLMSystemModelID)

    /// Reads a stored selection.
    ///
    /// White space around the text is ignored, and a UUID may be in any case. Anything else than a UUID or a known
    /// system model gives nil.
    public init?(storageValue: String) {
        let text = storageValue.trimmingCharacters(in: .whitespacesAndNewlines)
        if let system = LLMSystemModelID(rawValue: text) {
            self = .system(system)
        } else if let id = UUID(uuidString: text) {
            self = .installed(id)
        } else {
            return nil
        }
    }

    /// The form to keep in preferences: the UUID in upper case, or the system model's raw value.
    public var storageValue: String {
        switch self {
        case .installed(let id): id.uuidString
        case .system(let id): id.rawValue
        }
    }
}

extension LLMModelSelection: Codable {
    /// Decodes the bare storage string; an unknown string is a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let selection = Self(storageValue: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "'\(text)' is neither a model id nor a system model."
            )
        }
        self = selection
    }

    /// Encodes the bare storage string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(storageValue)
    }
}
