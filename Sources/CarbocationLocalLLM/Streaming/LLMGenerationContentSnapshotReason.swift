/// Why the whole text of a phase is sent again.
public enum LLMGenerationContentSnapshotReason: String, Codable, Sendable {
    /// What was sent so far turned out not to belong to the phase.
    case streamCorrection = "stream-correction"
    /// The finished text differs from what was streamed.
    case completed
}
