/// How hard a model that knows levels of effort should think.
///
/// The raw values are those that chat templates compare with.
public enum LLMReasoningEffort: String, Codable, Sendable, Hashable, CaseIterable {
    /// The least thinking a model offers.
    case minimal
    /// Little thinking.
    case low
    /// Balanced thinking.
    case medium
    /// Much thinking.
    case high
    /// More than high.
    case xhigh
    /// The most a model offers.
    case max
    /// No thinking, for templates that call it `none`.
    case disabled = "none"
    /// No thinking, for templates that call it `no_think`.
    case noThink = "no_think"
}
