/// Whether the user chose sampling settings.
public enum GenerationOptionsMode: String, Codable, Sendable {
    /// The steady choices of ``GenerationOptions/extractionSafe``.
    case extractionSafe
    /// The user's own.
    case custom
}
