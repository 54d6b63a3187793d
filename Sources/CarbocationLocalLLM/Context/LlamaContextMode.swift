/// Who decides how much context a GGUF model is loaded with.
public enum LlamaContextMode: String, Codable, Sendable {
    /// The policy, from the model's training context, the cap and what calibration found.
    case auto
    /// The user, with a number of tokens.
    case manual
}
