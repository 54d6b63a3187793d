import CarbocationLocalLLM

/// The tokens of a text that is to be embedded.
struct EmbeddingInput: Sendable {
    let tokens: [Token]

    /// Tokenises `text` and adds the tokens that the vocabulary wants around it.
    ///
    /// Control tokens that the text spells out stay text. Throws ``LLMEngineError/invalidRequest(_:)`` for an empty
    /// text, whose place in the list is `index`, and ``LLMEngineError/contextBudgetExceeded(contextSize:promptTokens:reserve:)``
    /// for one that is too long.
    init(
        _ text: String, index: Int, model: NativeModel, contextSize: Int, truncation: LlamaEmbeddingTruncation
    ) throws {
        guard !text.isEmpty else {
            throw LLMEngineError.invalidRequest(
                "Text \(index + 1) is empty. Only texts with content have an embedding.")
        }
        let body = try model.tokens(of: [PromptSegment(text: text, isInput: true)])
        let opening = model.addsBOS ? [model.bosToken].compactMap { $0 } : []
        let closing = model.addsEOS ? [model.eosToken].compactMap { $0 } : []
        let count = opening.count + body.count + closing.count
        if count > contextSize, truncation == .never {
            throw LLMEngineError.contextBudgetExceeded(contextSize: contextSize, promptTokens: count, reserve: 0)
        }
        tokens = opening + body.prefix(contextSize - opening.count - closing.count) + closing
    }
}
