import CarbocationLocalLLM
import Foundation
import Testing

@Suite("Tool definitions")
struct LLMToolDefinitionTests {
    @Test(
        "TL-1: names that can be used",
        arguments: [
            "a", "_", "get_weather", "web-get", "mcp.cal:list-events", "Größe", "取得",
            "a" + String(repeating: "1", count: 63),
        ])
    func validNames(name: String) throws {
        #expect(LLMToolDefinition.isValidName(name))
        try LLMToolDefinition(name: name, description: "x").validate()
    }

    @Test(
        "TL-1: names that cannot",
        arguments: [
            "", "1a", "-a", ".a", "a b", "a/b", "a\n", "a{", "é😀", "$x", "a" + String(repeating: "1", count: 64),
        ])
    func invalidNames(name: String) {
        #expect(!LLMToolDefinition.isValidName(name))
        #expect(throws: LLMToolError.self) { try LLMToolDefinition(name: name, description: "x").validate() }
    }

    @Test("TL-1: a blank description is refused", arguments: ["", " ", "\n\t "])
    func blankDescription(description: String) {
        #expect(throws: LLMToolError.self) { try LLMToolDefinition(name: "a", description: description).validate() }
    }

    @Test(
        "TL-1: parameters are an object schema",
        arguments: [
            (LLMToolDefinition.noParameters, true), (["type": "object"], true),
            (["type": ["object", "null"]], true), (["properties": ["a": true]], true),
            (["type": "object", "properties": []], false), (["type": "array"], false), ([:], false), ("object", false),
            (nil, false), (["type": 1], false),
        ] as [(LLMJSONValue, Bool)])
    func parameters(schema: LLMJSONValue, isValid: Bool) {
        let definition = LLMToolDefinition(name: "a", description: "x", parameters: schema)
        if isValid {
            #expect(throws: Never.self) { try definition.validate() }
        } else {
            #expect(throws: LLMToolError.self) { try definition.validate() }
        }
    }

    @Test("the error says which tool and what to do")
    func errors() throws {
        let error = #expect(throws: LLMToolError.self) {
            try LLMToolDefinition(name: "a", description: "x", parameters: "y").validate()
        }
        #expect(error?.errorDescription?.contains("tool a ") == true)
        #expect(LLMToolError.duplicateToolName("add").errorDescription?.contains("add") == true)
        #expect(LLMToolError.invalidRequest("No tools.").errorDescription == "No tools.")
        #expect(LLMToolError.unsupportedToolMode("No.").errorDescription == "No.")
    }

    @Test("definitions survive coding, and missing parameters are none")
    func coding() throws {
        let definition = LLMToolDefinition(
            name: "a", description: "x", parameters: ["type": "object", "properties": ["b": ["type": "string"]]])
        let data = try JSONEncoder().encode(definition)
        #expect(try JSONDecoder().decode(LLMToolDefinition.self, from: data) == definition)
        let short = try JSONDecoder().decode(
            LLMToolDefinition.self, from: Data(#"{"name":"a","description":"x"}"#.utf8))
        #expect(short.parameters == LLMToolDefinition.noParameters)
    }
}
