/// A model that comes with the operating system.
///
/// The raw value is what apps store and must never change.
public enum LLMSystemModelID: String, Codable, Sendable, Hashable, CaseIterable {
    /// The on-device model of Apple Intelligence.
    case appleIntelligence = "system.apple-intelligence"
}
