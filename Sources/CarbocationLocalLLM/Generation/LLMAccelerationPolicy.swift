/// Whether generations may be accelerated by speculation.
public enum LLMAccelerationPolicy: String, Codable, Sendable, Hashable {
    /// Wherever the model and the request allow it.
    case automatic
    /// Never.
    case disabled
}
