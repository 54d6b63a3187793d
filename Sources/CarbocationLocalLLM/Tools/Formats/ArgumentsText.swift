/// The arguments of a call, as far as they can be read without the tool's schema.
package enum ArgumentsText: Sendable, Hashable {
    /// An object.
    case json(LLMJSONValue)
    /// Values written as plain text between tags, whose types the schema tells.
    case tagged([TaggedArgument])
    /// None were written.
    case missing

    /// The arguments as one object, with tagged values converted to the types that `schema` declares.
    ///
    /// Values that say nothing where text is not allowed, such as an empty one for a number, are left out. Without a
    /// schema, tagged values stay text.
    package func object(for schema: LLMJSONValue?) -> LLMJSONValue {
        switch self {
        case .json(let value): value
        case .tagged(let arguments): TaggedArgumentTyping(schema: schema).object(of: arguments)
        case .missing: [:]
        }
    }
}
