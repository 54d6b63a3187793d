/// What a stretch of model output is.
public enum LLMStreamContentPhase: String, Codable, Sendable, Hashable {
    /// Not known yet.
    case unknown
    /// The model's thinking.
    case thinking
    /// The answer.
    case final
}
