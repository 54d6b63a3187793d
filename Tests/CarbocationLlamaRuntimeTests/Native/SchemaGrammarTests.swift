import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

/// The checked-in schemas with llama.cpp itself as the matcher.
@Suite(.enabled(if: LlamaRuntimeInfo.isAvailable, "build with a llama artifact: run \"make setup\""))
struct SchemaGrammarTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var schema: LLMJSONValue
        var accepts: [String]
        var rejects: [String]

        init(line: Substring) throws {
            let object = try LLMJSONValue(jsonString: String(line))
            schema = object.value(forKey: "schema") ?? nil
            accepts = object.array(forKey: "accepts")?.compactMap(\.stringValue) ?? []
            rejects = object.array(forKey: "rejects")?.compactMap(\.stringValue) ?? []
        }

        var testDescription: String { String(schema.jsonString().prefix(120)) }
    }

    private static func cases() throws -> [Case] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fixtures/json-schemas.jsonl").standardizedFileURL
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(Case.init).filter {
            !$0.accepts.isEmpty
        }
    }

    @Test("ST-5: llama.cpp takes every grammar, and matches as the schema says")
    func matches() throws {
        let cases = try Self.cases()
        #expect(cases.count > 300)
        for schemaCase in cases {
            let grammar = try GrammarInspector(grammar: NativeGrammar.text(of: schemaCase.schema))
            for text in schemaCase.accepts {
                #expect(try grammar.matches(text), "\(text.prefix(200)) fits \(schemaCase.testDescription)")
            }
            for text in schemaCase.rejects {
                #expect(try !grammar.matches(text), "\(text.prefix(200)) does not fit \(schemaCase.testDescription)")
            }
        }
    }

    @Test("G04: repetitions of any size make a grammar that llama.cpp takes", arguments: [2001, 5000, 1_000_000])
    func longRepetitions(count: Int) throws {
        let text: LLMJSONValue = ["type": "string", "minLength": 3, "maxLength": .int(Int64(count))]
        let schema: LLMJSONValue = [
            "properties": ["o": ["properties": ["s": text, "a": ["items": text, "maxItems": .int(Int64(count))]]]]
        ]
        let grammar = try GrammarInspector(grammar: NativeGrammar.text(of: schema))
        #expect(try grammar.matches(#"{"o":{"s":"xyz","a":["abc","\#(String(repeating: "x", count: 1000))"]}}"#))
        #expect(try !grammar.matches(#"{"o":{"s":"xy"}}"#))
    }

    @Test("ST-1: a refused grammar names its rule")
    func refusal() {
        #expect(throws: LLMEngineError.grammarParseFailed("the grammar's rule \"x\" is left-recursive")) {
            try GrammarInspector(grammar: "root ::= x\nx ::= x \"a\" | \"b\"")
        }
    }
}
