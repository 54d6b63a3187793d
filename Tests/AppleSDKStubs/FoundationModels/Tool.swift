/// A tool that a model may call.
@available(macOS 26.0, iOS 26.0, *)
public protocol Tool<Arguments, Output>: Sendable {
    /// What the tool answers.
    associatedtype Output: PromptRepresentable
    /// What it is called with.
    associatedtype Arguments: ConvertibleFromGeneratedContent

    /// The name that calls use.
    var name: String { get }
    /// What the tool does.
    var description: String { get }
    /// The schema of the arguments, read once when a session is made.
    var parameters: GenerationSchema { get }
    /// Whether the model is told the schema.
    var includesSchemaInInstructions: Bool { get }

    /// Answers a call; several may run at the same time.
    @concurrent func call(arguments: Arguments) async throws -> Output
}

@available(macOS 26.0, iOS 26.0, *)
extension Tool {
    /// The name of the type.
    public var name: String { "\(Self.self)" }

    /// True.
    public var includesSchemaInInstructions: Bool { true }
}
