/// A tool that a model may call: what the model is told about it, and what runs when it is called.
///
/// ```swift
/// let clock = LLMTool(definition: LLMToolDefinition(name: "get_time", description: "The current time.")) { _ in
///     .string(Date.now.ISO8601Format())
/// }
/// ```
public struct LLMTool: Sendable {
    /// What the model is told.
    public let definition: LLMToolDefinition
    /// How long one call may take; nil where the request's limit applies.
    public let timeout: Duration?

    private let execute: @Sendable (LLMJSONValue) async throws -> LLMJSONValue

    /// Creates a tool; the definition is checked by ``LLMToolDefinition/validate()`` when the tool is offered.
    ///
    /// - Parameters:
    ///   - definition: What the model is told.
    ///   - timeout: How long one call may take; nil where the request's limit applies. Whoever runs the tool sees to it.
    ///   - execute: What runs on a call, also several times at once. It gets the arguments, of an object that fits the
    ///     schema, and gives what the model is told. It should end soon after its task is cancelled.
    public init(
        definition: LLMToolDefinition,
        timeout: Duration? = nil,
        execute: @escaping @Sendable (LLMJSONValue) async throws -> LLMJSONValue
    ) {
        self.definition = definition
        self.timeout = timeout
        self.execute = execute
    }

    /// Runs the tool once, without a limit of time and without a look at the arguments.
    ///
    /// - Parameter arguments: The arguments, passed on as they are.
    /// - Returns: What the model is to be told.
    /// - Throws: What the tool throws; `CancellationError` if it takes notice of a cancelled task.
    public func call(arguments: LLMJSONValue) async throws -> LLMJSONValue {
        try await execute(arguments)
    }
}
