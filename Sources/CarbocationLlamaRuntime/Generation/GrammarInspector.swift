/// Looks at a grammar without a model.
package struct GrammarInspector: Sendable {
    private let grammar: String

    /// Checks GBNF text.
    ///
    /// - Parameter grammar: The text, with a rule `root`.
    /// - Throws: ``LLMEngineError/grammarParseFailed(_:)`` naming the rule, for a grammar that a generation would refuse.
    package init(grammar: String) throws {
        self.grammar = try NativeGrammar.checked(grammar)
    }

    /// Whether the whole of `text` belongs to the grammar.
    ///
    /// - Parameter text: At most 1 MiB.
    /// - Returns: False also for a text that only begins as the grammar says.
    /// - Throws: ``LLMEngineError/grammarParseFailed(_:)`` for a grammar that names tokens, or is so ambiguous that
    ///   matching takes too long.
    package func matches(_ text: String) throws -> Bool {
        try NativeGrammar.matches(text, grammar)
    }
}
