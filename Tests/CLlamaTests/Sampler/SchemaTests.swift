import CLlama
import Foundation
import Testing

@Suite("Grammars from JSON Schemas", .needsRuntime)
struct SchemaTests {
    private func grammar(_ schema: String) throws -> String {
        var text: UnsafeMutablePointer<CChar>?
        try check(cl_grammar_from_schema(schema, &text))
        defer { cl_string_free(text) }
        return String(cString: text!)
    }

    @Test("A schema becomes a grammar that a sampler takes")
    func converts() throws {
        let schema = """
            {"type": "object", "properties": {"name": {"type": "string", "maxLength": 40}, "age": {"type": "integer"},
             "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 3}}, "required": ["name"]}
            """
        let text = try grammar(schema)
        #expect(text.contains("root ::="))
        _ = try Sampler(try Model(Files.pocketModel, vocabularyOnly: true), grammar: text)
    }

    @Test(
        "What is no schema is refused",
        arguments: [
            "", "{", "[1, 2", "nonsense", "{\"type\": \"unheard-of\"}", "{\"$ref\": \"#/definitions/missing\"}",
            "{\"$ref\": \"https://example.com/schema\"}", "{\"type\": \"string\", \"pattern\": \"^)$\"}",
            "{\"type\": \"string\", \"minLength\": -1}", "{\"anyOf\": []}",
        ])
    func wrong(schema: String) {
        #expect(status { _ = try grammar(schema) } == CL_GRAMMAR_INVALID)
    }

    @Test("Depth and length are bounded")
    func bounds() {
        let deep = String(repeating: "{\"items\":", count: 5000) + "{}" + String(repeating: "}", count: 5000)
        #expect(status { _ = try grammar(deep) } == CL_LIMIT_EXCEEDED)
        let brackets = String(repeating: "[", count: 100_000)
        #expect(status { _ = try grammar(brackets) } == CL_LIMIT_EXCEEDED)
        let long = "{\"description\": \"" + String(repeating: "x", count: 300_000) + "\"}"
        #expect(status { _ = try grammar(long) } == CL_LIMIT_EXCEEDED)
    }

    @Test("A pattern that has no grammar leaves any string")
    func pattern() throws {
        let any = try grammar(#"{"type": "string"}"#)
        #expect(try grammar(#"{"type": "string", "pattern": "(?=x)y"}"#) == any)
        #expect(try grammar(#"{"type": "string", "pattern": "no anchors"}"#) == any)
        #expect(try grammar(#"{"type": "string", "pattern": "^[a-c]{2}$"}"#).contains("[a-c]"))
    }

    @Test("The word \"pattern\" in data and names is left alone")
    func patternAsData() throws {
        let text = try grammar(
            #"{"type": "object", "properties": {"pattern": {"const": {"pattern": "(?=x)"}}}, "required": ["pattern"]}"#)
        #expect(text.contains("(?=x)"))
    }

    @Test("Recursive schemas end")
    func recursive() throws {
        let node = ##"{"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}"##
        let text = try grammar(##"{"$defs": {"node": \##(node)}, "$ref": "#/$defs/node"}"##)
        #expect(text.contains("root ::="))
    }
}
