import CarbocationLocalLLM

/// How the system is told about the arguments of a tool.
///
/// The system lets a model write only what a schema names. So parameters that allow members without naming them, such
/// as those of a free-form object, are told as one text that holds the arguments.
struct ToolArguments: Sendable, Hashable {
    /// The member of the text.
    private static let member = "arguments"

    /// What the system is told.
    let schema: SchemaPlan
    private let isText: Bool

    /// The arguments of a tool.
    init(of tool: LLMToolDefinition) {
        let plan = SchemaPlan(parametersOf: tool)
        isText = plan == nil
        schema = plan ?? Self.text(of: tool)
    }

    /// The arguments that the model gave; a text that holds an object is one when calls are checked.
    ///
    /// - Parameter content: What follows the schema.
    /// - Returns: The arguments.
    func arguments(in content: LLMJSONValue) -> LLMJSONValue {
        isText ? content.value(forKey: Self.member) ?? content : content
    }

    /// Arguments as they follow the schema.
    func content(of arguments: LLMJSONValue) -> LLMJSONValue {
        isText ? .object([Self.member: .string(arguments.jsonString())]) : arguments
    }

    private static func text(of tool: LLMToolDefinition) -> SchemaPlan {
        let text = SchemaPlan.Property(
            name: member,
            description: "The arguments as a JSON object following this JSON schema: \(tool.parameters.jsonString())",
            schema: .string, isOptional: false)
        return .object(name: tool.name, description: nil, [text])
    }
}
