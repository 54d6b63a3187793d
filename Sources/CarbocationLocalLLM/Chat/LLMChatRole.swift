/// Who speaks in a message.
public enum LLMChatRole: String, Codable, Sendable, Hashable, CaseIterable {
    /// The app, setting the scene.
    case system
    /// The person.
    case user
    /// The model.
    case assistant
    /// A tool, answering one of the model's calls.
    case tool
}
