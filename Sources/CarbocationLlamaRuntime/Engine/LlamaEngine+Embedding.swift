import CarbocationLocalLLM

extension LlamaEngine {
    /// The embeddings of texts, one vector for each, in their order.
    ///
    /// Uses the loaded weights and adapters and a context of its own, which is made with the first call and kept until
    /// the model is unloaded; generations go on beside it. Chat models give usable embeddings, models that were trained
    /// for it better ones. The same text gives the same vector every time, whatever the other texts are. Texts are
    /// computed one after the other; the time of each grows with its tokens as that of a prompt.
    ///
    /// - Parameters:
    ///   - texts: The texts, as they are: no template is applied, and no prefix that a model may ask for is added.
    ///   - options: Pooling, normalisation and what becomes of long texts.
    /// - Returns: The vectors, all of the same size; none for no texts.
    /// - Throws: `LLMEngineError.noModelLoaded`; `.invalidRequest` for an empty text; `.contextBudgetExceeded` for a text
    ///   longer than the loaded context, with both lengths; `.tokenizationFailed`, `.contextInitFailed` or
    ///   `.decodeFailed`; `CancellationError` when the task was cancelled.
    public func embed(
        _ texts: [String], options: LlamaEmbeddingOptions = LlamaEmbeddingOptions()
    ) async throws -> [[Float]] {
        let model = try beginLease()
        defer { endLease() }
        try Task.checkCancellation()
        guard !texts.isEmpty else { return [] }
        return try await model.embedder.embeddings(of: texts, options: options)
    }
}
