import CarbocationLocalLLM

/// A JSON Schema on the command line: its text, or the name of a file.
enum SchemaArgument {
    static func schema(_ source: String) throws -> LLMJSONValue {
        try schema(text: isText(source) ? source : InputFile.text(at: source))
    }

    /// The schema in a text.
    static func schema(text: String) throws -> LLMJSONValue {
        do {
            return try LLMJSONValue(jsonString: text)
        } catch {
            throw LLMEngineError.unsupportedSchema("it is not valid JSON: \(FailureReport(error).message)")
        }
    }

    /// Whether it is a schema itself and not the name of a file.
    static func isText(_ source: String) -> Bool {
        source.drop(while: \.isWhitespace).first == "{"
    }
}
