import CLlama
import CarbocationLocalLLM

/// Grammars as llama.cpp understands them.
enum NativeGrammar {
    /// The GBNF text that admits what `schema` describes; throws ``LLMEngineError/unsupportedSchema(_:)``.
    static func text(of schema: LLMJSONValue) throws -> String {
        try JSONSchemaGrammar.gbnf(for: schema)
    }

    /// The grammar as it is; throws ``LLMEngineError/grammarParseFailed(_:)`` if it cannot or should not be followed.
    static func checked(_ grammar: String) throws -> String {
        try check(cl_grammar_check(grammar)) { .grammarParseFailed($0) }
        return grammar
    }

    /// Whether the whole text belongs to the grammar; throws ``LLMEngineError/grammarParseFailed(_:)``.
    static func matches(_ text: String, _ grammar: String) throws -> Bool {
        var result = false
        try check(cl_grammar_matches(grammar, text, text.utf8.count, &result)) { .grammarParseFailed($0) }
        return result
    }
}
