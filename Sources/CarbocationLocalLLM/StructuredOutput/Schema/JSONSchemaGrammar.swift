/// Grammars of the JSON that a schema describes.
///
/// The decision note “JSON schemas” says which keywords are enforced, and how far.
package enum JSONSchemaGrammar {
    /// The GBNF text that admits JSON which fits `schema`, and nothing else.
    ///
    /// The same schema always gives the same text. Nothing is ever left out: what no grammar can enforce is an error.
    ///
    /// - Parameter schema: The schema, an object or a boolean.
    /// - Returns: A grammar with the rule `root`, at most 256 KiB long.
    /// - Throws: ``LLMEngineError/unsupportedSchema(_:)`` with the place, the keyword and the reason.
    package static func gbnf(for schema: LLMJSONValue) throws(LLMEngineError) -> String {
        do {
            return try SchemaConverter.grammar(for: schema)
        } catch let failure as SchemaFailure {
            throw .unsupportedSchema(failure.message)
        } catch {
            throw .unsupportedSchema("#: the grammar of the schema would be too large")
        }
    }
}
