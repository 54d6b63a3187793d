import CLlama
import CarbocationLocalLLM

/// Grammars made by llama.cpp.
enum NativeGrammar {
    /// The GBNF text that admits what `schema` describes; throws ``LLMEngineError/unsupportedSchema(_:)``.
    static func text(of schema: LLMJSONValue) throws -> String {
        var created: UnsafeMutablePointer<CChar>?
        try check(cl_grammar_from_schema(schema.jsonString(), &created)) { .unsupportedSchema($0) }
        guard let created else { throw LLMEngineError.unsupportedSchema("llama.cpp gave no grammar for it.") }
        defer { cl_string_free(created) }
        return String(cString: created)
    }
}
