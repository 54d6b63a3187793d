/// What can be asked.
@available(macOS 26.0, iOS 26.0, *)
public protocol PromptRepresentable {
    /// The value as a prompt.
    var promptRepresentation: Prompt { get }
}

/// What a session is asked; its text cannot be read by callers.
@available(macOS 26.0, iOS 26.0, *)
public struct Prompt: Sendable, PromptRepresentable {
    let text: String

    /// Creates a prompt.
    public init(_ content: some PromptRepresentable) {
        self = content.promptRepresentation
    }

    init(text: String) {
        self.text = text
    }

    /// The prompt itself.
    public var promptRepresentation: Prompt { self }
}

@available(macOS 26.0, iOS 26.0, *)
extension String: PromptRepresentable {
    /// The text as a prompt.
    public var promptRepresentation: Prompt { Prompt(text: self) }
}
