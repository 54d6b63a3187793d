/// A value that a model can be asked for, described by a JSON schema.
///
/// ```swift
/// struct Recipe: LLMStructured {
///     var title: String
///     var minutes: Int
///
///     static let jsonSchema: LLMJSONValue = [
///         "type": "object",
///         "properties": ["title": ["type": "string"], "minutes": ["type": "integer", "minimum": 1]],
///         "required": ["title", "minutes"],
///     ]
/// }
/// let recipe = try await engine.generate(as: Recipe.self, prompt: "A quick soup, please.")
/// ```
public protocol LLMStructured: Codable, Sendable {
    /// The schema that the type's JSON follows; what it allows must decode as the type.
    static var jsonSchema: LLMJSONValue { get }
}
