import CarbocationLocalLLM
import FoundationModels
import Testing

@testable import AppleIntelligenceWithStubs

@Suite("Schemas for the system's model")
struct SchemaPlanTests {
    static let expressed: [(LLMJSONValue, String)] = [
        (["type": "string"], "String"),
        (["type": "boolean"], "Bool"),
        (["type": "number", "minimum": 0.5], "Double[0.5...]"),
        (["type": "number", "maximum": 2], "Double[...2.0]"),
        (["type": "integer", "minimum": 1, "maximum": 3], "Int[1...3]"),
        (["type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10], "Int[1...9]"),
        (["type": "integer", "minimum": 0.5, "maximum": 3.5], "Int[1...3]"),
        (["type": "integer", "exclusiveMinimum": -1.5, "exclusiveMaximum": 1.5], "Int[-1...1]"),
        (["enum": ["a", "b", "a"]], "Answer(a|b)"),
        (["type": "string", "const": "a"], "Answer(a)"),
        (["type": "array", "items": ["type": "integer"], "minItems": 1, "maxItems": 4], "[Int][1...4]"),
        (["properties": ["a": ["type": "string"]]], "Answer{a?:String}"),
        (
            [
                "type": "object", "title": "T", "description": "D", "additionalProperties": false,
                "properties": [
                    "b": ["type": "object", "properties": ["c": ["enum": ["x"]]], "required": ["c"]],
                    "a": ["type": "array", "items": ["type": "object", "properties": [:]]],
                ],
                "required": ["b"],
            ],
            "Answer{b:Answer_b{c:Answer_b_c(x)},a?:[Answer_a_item{}]}"
        ),
        (
            [
                "type": "object",
                "properties": ["a_b": ["enum": ["x"]], "a": ["type": "object", "properties": ["b": ["enum": ["y"]]]]],
            ],
            "Answer{a_b?:Answer_a_b(x),a?:Answer_a{b?:Answer_a_b_2(y)}}"
        ),
    ]

    @Test("AI-4: schemas that can be expressed", arguments: expressed)
    func expresses(schema: LLMJSONValue, text: String) throws {
        let plan = try #require(SchemaPlan(expressing: schema))
        #expect(try FrameworkSchema.schema(plan).debugDescription == text)
    }

    static let inexpressible: [LLMJSONValue] = [
        true, [:], ["type": "null"], ["type": ["string", "null"]], ["type": "string", "minLength": 1],
        ["enum": [1, 2]], ["enum": []], ["type": "object"],
        ["type": "object", "additionalProperties": ["type": "string"]],
        ["type": "object", "properties": ["a": ["$ref": "#"]]], ["oneOf": [["type": "string"]]],
        ["type": "object", "properties": ["a": ["type": "string"]], "required": ["b"]],
        ["type": "array"], ["type": "array", "items": ["type": "string"], "uniqueItems": true],
        ["type": "array", "items": ["type": "string"], "minItems": 3, "maxItems": 2],
        ["type": "number", "exclusiveMinimum": 1], ["type": "number", "minimum": 2, "maximum": 1],
        ["type": "integer", "minimum": "one"], ["type": "integer", "multipleOf": 2],
        ["type": "string", "const": "a", "enum": ["a"]],
    ]

    @Test("AI-4: schemas that cannot be expressed", arguments: inexpressible)
    func cannotExpress(schema: LLMJSONValue) {
        #expect(SchemaPlan(expressing: schema) == nil)
    }

    static let parameters: [(LLMJSONValue, String)] = [
        (LLMToolDefinition.noParameters, "go{}"),
        (["type": "object", "additionalProperties": false], "go{}"),
        (["type": ["object", "null"], "properties": ["a": ["type": "string"]]], "go{a?:String}"),
        (
            ["type": "object", "$ref": "#/$defs/A", "$defs": ["A": ["properties": ["a": ["type": "string"]]]]],
            "go{a?:String}"
        ),
        (
            [
                "type": "object", "properties": ["a": ["type": "string"], "b": ["type": "string"]],
                "anyOf": [["required": ["a"]], ["required": ["b"]]],
            ],
            "go{a?:String,b?:String}"
        ),
        (
            [
                "type": "object",
                "properties": [
                    "to": ["allOf": [["$ref": "#/definitions/Place"]], "description": "Where to."],
                    "from": ["$ref": "#/definitions/Place"], "other": ["$ref": "https://example.com/schema"],
                    "open": ["properties": ["a": ["type": "string"]], "additionalProperties": true],
                    "empty": ["type": "object", "properties": [:]],
                    "pair": ["type": "array", "items": ["type": "string"], "prefixItems": [["type": "integer"]]],
                ],
                "definitions": [
                    "Place": [
                        "type": "object",
                        "properties": ["city": ["type": "string"], "next": ["$ref": "#/definitions/Place"]],
                    ]
                ],
            ],
            "go{to?:go_to{city?:String,next?:GeneratedContent},from?:go_from{city?:String,next?:GeneratedContent},"
                + "other?:GeneratedContent,open?:GeneratedContent,empty?:GeneratedContent,pair?:[GeneratedContent]}"
        ),
        (
            [
                "type": "object",
                "properties": [
                    "free": ["type": "object"], "text": ["type": "string", "minLength": 1],
                    "count": ["type": "integer", "multipleOf": 2], "list": ["type": "array"],
                    "either": ["anyOf": [["type": "string"]]], "nothing": ["enum": []],
                    "ratio": ["type": "number", "exclusiveMinimum": 0],
                ],
                "required": ["free"],
            ],
            "go{free:GeneratedContent,text?:String,count?:Int,list?:[GeneratedContent],either?:GeneratedContent,"
                + "nothing?:GeneratedContent,ratio?:Double}"
        ),
    ]

    @Test("AI-6: parameters of tools allow at least what the schema does", arguments: parameters)
    func allows(schema: LLMJSONValue, text: String) throws {
        let tool = LLMToolDefinition(name: "go", description: "Goes.", parameters: schema)
        try tool.validate()
        let arguments = ToolArguments(of: tool)
        #expect(try FrameworkSchema.schema(arguments.schema).debugDescription == text)
        #expect(arguments.arguments(in: ["arguments": "{}"]) == ["arguments": "{}"])
        #expect(arguments.content(of: ["a": 1]) == ["a": 1])
    }

    static let open: [LLMJSONValue] = [
        ["type": "object"], ["type": ["object", "null"]], ["type": "object", "additionalProperties": true],
        ["type": "object", "additionalProperties": ["type": "string"]],
        ["type": "object", "properties": [:], "additionalProperties": [:]],
        ["properties": ["a": ["type": "string"]], "unevaluatedProperties": true],
        ["properties": ["a": ["type": "string"]], "patternProperties": ["^x": ["type": "string"]]],
        ["properties": ["a": ["type": "string"]], "required": ["b"]], ["type": "object", "minProperties": 1],
        ["type": "object", "properties": [:], "minProperties": 1],
        ["type": "object", "anyOf": [["properties": ["a": [:]]], ["properties": ["b": [:]]]]],
        ["type": "object", "properties": ["a": [:]], "oneOf": [["$ref": "#/$defs/B"]], "$defs": ["B": [:]]],
        ["type": "object", "properties": ["a": [:]], "allOf": [["required": ["b"]]]],
        ["type": "object", "properties": ["a": [:]], "then": ["properties": ["b": [:]]]],
        ["type": "object", "properties": ["a": [:]], "dependentSchemas": ["a": ["properties": ["b": [:]]]]],
        ["type": "object", "$ref": "#/$defs/None"], ["type": "object", "$ref": "#"],
        ["type": "object", "enum": [["a": 1]]],
    ]

    @Test("AI-6: parameters that allow members without naming them are one text", arguments: open)
    func tellsText(schema: LLMJSONValue) throws {
        let tool = LLMToolDefinition(name: "go", description: "Goes.", parameters: schema)
        try tool.validate()
        let arguments = ToolArguments(of: tool)
        #expect(try FrameworkSchema.schema(arguments.schema).debugDescription == "go{arguments:String}")
        guard case .object(_, _, let members) = arguments.schema else { return }
        #expect(members.map(\.description).first??.hasSuffix(schema.jsonString()) == true)
        let value: LLMJSONValue = ["a": ["b": [1, "x"]]]
        #expect(arguments.content(of: value) == ["arguments": .string(value.jsonString())])
        #expect(arguments.arguments(in: arguments.content(of: value)) == .string(value.jsonString()))
    }

    @Test("AI-4: references within the schema of an answer")
    func references() throws {
        let schema: LLMJSONValue = [
            "type": "array", "items": ["$ref": "#/$defs/A", "description": "One."],
            "$defs": ["A": ["type": "object", "properties": ["a": ["type": "string"]]]],
        ]
        let plan = try #require(SchemaPlan(expressing: schema))
        #expect(try FrameworkSchema.schema(plan).debugDescription == "[Answer_item{a?:String}]")
    }

    @Test("SC-7: deep schemas end somewhere")
    func deep() {
        var schema: LLMJSONValue = ["type": "string"]
        for _ in 0..<200 { schema = ["type": "array", "items": schema] }
        #expect(SchemaPlan(expressing: schema) == nil)
        let tool = LLMToolDefinition(
            name: "go", description: "Goes.", parameters: ["type": "object", "properties": ["a": schema]])
        #expect(throws: Never.self) { try FrameworkSchema.schema(ToolArguments(of: tool).schema) }
    }

    @Test("SC-7: references that multiply end somewhere")
    func multiplying() {
        var definitions = LLMJSONObject()
        for level in 0..<30 {
            let next: LLMJSONValue = ["$ref": .string("#/$defs/\(level + 1)")]
            definitions["\(level)"] = ["properties": ["a": next, "b": next]]
        }
        definitions["30"] = ["type": "string"]
        let schema: LLMJSONValue = ["type": "object", "$ref": "#/$defs/0", "$defs": .object(definitions)]
        #expect(SchemaPlan(expressing: schema) == nil)
        let tool = LLMToolDefinition(name: "go", description: "Goes.", parameters: schema)
        #expect(throws: Never.self) { try FrameworkSchema.schema(ToolArguments(of: tool).schema) }
    }
}
