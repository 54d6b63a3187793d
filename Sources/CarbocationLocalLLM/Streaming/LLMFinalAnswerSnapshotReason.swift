/// Why the whole answer is sent again.
public enum LLMFinalAnswerSnapshotReason: String, Codable, Sendable {
    /// What was sent so far turned out not to belong to the answer.
    case streamCorrection = "stream-correction"
    /// The finished answer differs from what was streamed.
    case completed
}
