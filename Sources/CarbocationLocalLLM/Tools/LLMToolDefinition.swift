/// A tool as the model is told about it.
///
/// ```swift
/// let add = LLMToolDefinition(
///     name: "add",
///     description: "Adds two numbers.",
///     parameters: ["type": "object", "properties": ["a": ["type": "number"], "b": ["type": "number"]]]
/// )
/// ```
public struct LLMToolDefinition: Sendable, Hashable {
    /// The name that calls use, see ``isValidName(_:)``.
    public var name: String
    /// What the tool does and when to use it, for the model.
    public var description: String
    /// The JSON schema of the arguments, of type `object`.
    public var parameters: LLMJSONValue

    /// Creates a definition; nothing is checked before ``validate()``.
    public init(
        name: String,
        description: String,
        parameters: LLMJSONValue = LLMToolDefinition.noParameters
    ) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }

    /// The schema of a tool without parameters.
    public static var noParameters: LLMJSONValue {
        ["type": "object", "properties": [:]]
    }

    /// The definition as models are told about it, with its parts in this order.
    package var json: LLMJSONValue {
        ["name": .string(name), "description": .string(description), "parameters": parameters]
    }

    /// Whether a tool can have this name.
    ///
    /// It begins with a letter or `_`, goes on with letters, digits and `_ - . :`, and has at most 64 Unicode scalars.
    public static func isValidName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || isLetter(first) else { return false }
        var length = 0
        for scalar in name.unicodeScalars {
            length += 1
            guard length <= maximumNameLength, isNamePart(scalar) else { return false }
        }
        return true
    }

    /// Checks the definition by itself.
    ///
    /// - Throws: ``LLMToolError/invalidDefinition(_:)`` for a name that cannot be used, a blank description, or
    ///   parameters that are no schema of an object.
    public func validate() throws {
        guard Self.isValidName(name) else {
            throw LLMToolError.invalidDefinition(
                "The tool name “\(name.prefix(Self.maximumNameLength))” cannot be used. Begin it with a letter or _, "
                    + "go on with letters, digits and _ - . :, and keep it to 64 characters.")
        }
        guard description.contains(where: { !$0.isWhitespace }) else {
            throw LLMToolError.invalidDefinition("The tool \(name) has no description. Tell the model what it does.")
        }
        guard Self.isObjectSchema(parameters) else {
            throw LLMToolError.invalidDefinition(
                "The parameters of the tool \(name) are no object schema. Give a JSON schema of type “object”.")
        }
    }

    private static let maximumNameLength = 64

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "_", "-", ".", ":": return true
        default: break
        }
        switch scalar.properties.generalCategory {
        // Marks belong to the letters before them, in decomposed text and in many scripts.
        case .decimalNumber, .nonspacingMark, .spacingMark: return true
        default: return isLetter(scalar)
        }
    }

    private static func isObjectSchema(_ schema: LLMJSONValue) -> Bool {
        guard let object = schema.objectValue else { return false }
        if let properties = object["properties"], properties.objectValue == nil { return false }
        switch object["type"] {
        case .string(let type): return type == "object"
        case .array(let types): return types.contains("object")
        case nil: return object["properties"] != nil
        default: return false
        }
    }
}

extension LLMToolDefinition: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, description, parameters
    }

    /// Decodes a definition; missing parameters mean a tool without any.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        description = try container.decode(String.self, forKey: .description)
        parameters = try container.decode(forKey: .parameters, default: Self.noParameters)
    }
}
