import Testing

@testable import CarbocationLocalLLM

/// A schema with texts that fit it and texts that do not.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    var schema: String
    var accepts: [String]
    var rejects: [String]

    init(_ schema: String, accepts: [String], rejects: [String]) {
        self.schema = schema
        self.accepts = accepts
        self.rejects = rejects
    }

    var testDescription: String { String(schema.prefix(120)) }

    func check() throws {
        let matcher = try GBNFMatcher(schema: schema)
        for text in accepts {
            #expect(matcher.matches(text), "\(text) fits \(schema)")
            // What a grammar accepts is JSON.
            #expect(throws: Never.self) { try LLMJSONValue(jsonString: text) }
        }
        for text in rejects { #expect(!matcher.matches(text), "\(text) does not fit \(schema)") }
    }
}

/// Why a schema is refused.
func refusal(of schema: String) throws -> String? {
    do {
        _ = try JSONSchemaGrammar.gbnf(for: LLMJSONValue(jsonString: schema))
        return nil
    } catch LLMEngineError.unsupportedSchema(let reason) {
        return reason
    }
}
