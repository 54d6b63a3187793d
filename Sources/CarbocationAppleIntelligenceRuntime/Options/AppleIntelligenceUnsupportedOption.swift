/// Something that options ask for and the system's language model does not know.
package enum AppleIntelligenceUnsupportedOption: String, Sendable, Hashable, CaseIterable {
    /// A GBNF grammar; the model is asked for JSON instead.
    case grammar
    /// A JSON schema that cannot be expressed to the system; the model is shown it instead.
    case jsonSchema
    case minP
    case presencePenalty
    case repetitionPenalty
    /// Both topK and topP; topK is used.
    case combinedSamplingFilters
}
