/// How the vectors of a text's tokens become the one vector of the text.
public enum LlamaEmbeddingPooling: String, Codable, Sendable, Hashable {
    /// As the model's file says; ``mean`` where it says nothing.
    case automatic
    /// The mean of all tokens.
    case mean
    /// The first token, for models that were trained so.
    case cls
    /// The last token, for models that were trained so.
    case last
}

/// What happens to a text that is longer than the loaded context.
public enum LlamaEmbeddingTruncation: String, Codable, Sendable, Hashable {
    /// An error with both lengths, the default.
    case never
    /// The text's end is left out.
    case end
}

/// How texts are turned into vectors.
public struct LlamaEmbeddingOptions: Codable, Sendable, Hashable {
    /// What becomes of the vectors of the tokens.
    public var pooling: LlamaEmbeddingPooling
    /// Scales every vector to the length 1, so that dot products are cosines; a vector of zeros stays as it is.
    public var normalizes: Bool
    /// What becomes of texts that do not fit.
    public var truncation: LlamaEmbeddingTruncation

    /// Creates options; every default suits most models.
    public init(
        pooling: LlamaEmbeddingPooling = .automatic, normalizes: Bool = true,
        truncation: LlamaEmbeddingTruncation = .never
    ) {
        self.pooling = pooling
        self.normalizes = normalizes
        self.truncation = truncation
    }
}
