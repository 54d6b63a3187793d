/// A stretch of output of one phase, without its delimiters.
public struct LLMGenerationPhaseSegment: Codable, Sendable, Hashable {
    /// What the text is.
    public var phase: LLMStreamContentPhase
    /// The text, without markers.
    public var text: String

    /// Creates a segment.
    public init(phase: LLMStreamContentPhase, text: String) {
        self.phase = phase
        self.text = text
    }
}
