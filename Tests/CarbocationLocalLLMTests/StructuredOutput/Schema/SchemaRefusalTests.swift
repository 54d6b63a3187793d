import Testing

@testable import CarbocationLocalLLM

@Suite struct SchemaRefusalTests {
    @Test(
        "ST-5: keywords that no grammar enforces are refused by place and name",
        arguments: [
            "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "patternProperties",
            "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties", "unevaluatedItems", "contains",
            "minContains", "maxContains", "uniqueItems", "$dynamicRef",
        ])
    func unsupported(keyword: String) throws {
        #expect(try refusal(of: #"{"type":"array","\#(keyword)":true}"#) == "#: \(keyword) is not supported")
        let nested = #"{"properties":{"a/b":{"items":{"anyOf":[{},{"\#(keyword)":true}]}}}}"#
        #expect(try refusal(of: nested) == "#/properties/a~1b/items/anyOf/1: \(keyword) is not supported")
    }

    @Test("ST-5: unknown keywords are refused", arguments: ["frobnicate", "maxlength", "minimun", "divisibleBy"])
    func unknown(keyword: String) throws {
        let reason = try refusal(of: #"{"type":"string","\#(keyword)":3}"#)
        #expect(reason == "#: \(keyword) is no keyword that is known")
    }

    @Test("ST-5: annotations change nothing")
    func annotations() throws {
        let plain = try JSONSchemaGrammar.gbnf(for: ["type": "string"])
        let annotated = #"""
            {"type":"string","title":"T","description":"d","default":1,"examples":[2],"deprecated":true,"readOnly":true,
            "$comment":"c","$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/x",
            "format":"email","contentMediaType":"text/plain","x-order":3,"$defs":{"unused":{"not":{}}}}
            """#
        #expect(try JSONSchemaGrammar.gbnf(for: LLMJSONValue(jsonString: annotated)) == plain)
    }

    @Test(
        "Values that a keyword cannot have are refused",
        arguments: [
            (#"{"type":"text"}"#, "type"), (#"{"type":[]}"#, "type"), (#"{"type":1}"#, "type"),
            (#"{"enum":[]}"#, "enum"),
            (#"{"enum":1}"#, "enum"), (#"{"anyOf":[]}"#, "anyOf"), (#"{"oneOf":{}}"#, "oneOf"),
            (#"{"allOf":[1]}"#, "allOf/0"), (#"{"properties":[]}"#, "properties"),
            (#"{"properties":{"a":1}}"#, "properties/a"), (#"{"required":"a"}"#, "required"),
            (#"{"required":[1]}"#, "required"), (#"{"items":1}"#, "items"), (#"{"minItems":-1}"#, "minItems"),
            (#"{"maxItems":1.5}"#, "maxItems"), (#"{"minLength":"1"}"#, "minLength"), (#"{"pattern":1}"#, "pattern"),
            (#"{"minimum":"1"}"#, "minimum"), (#"{"multipleOf":0}"#, "multipleOf"), (#"{"format":1}"#, "format"),
            (#"{"$ref":1}"#, "$ref"), (#"{"minLength":3,"maxLength":2}"#, "minLength"),
            (#"{"minItems":3,"maxItems":2}"#, "minItems"),
            (#"{"exclusiveMinimum":1,"exclusiveMaximum":1}"#, "exclusive"),
            (#"{"type":"integer","minimum":2.1,"maximum":2.9}"#, "minimum"), ("5", "schema"), (#""x""#, "schema"),
        ])
    func values(schema: String, keyword: String) throws {
        let reason = try #require(try refusal(of: schema))
        #expect(reason.hasPrefix("#"))
        #expect(reason.contains(keyword))
    }

    @Test(
        "Schemas that nothing fits are refused",
        arguments: [
            "false", #"{"type":"string","enum":[1]}"#, #"{"allOf":[{"type":"string"},{"type":"integer"}]}"#,
            #"{"properties":{"a":false},"required":["a"]}"#, #"{"items":false,"minItems":1}"#,
            #"{"properties":{},"additionalProperties":false,"required":["a"]}"#,
            #"{"type":"boolean","anyOf":[{"type":"string"},{"type":"null"}]}"#,
            #"{"type":"string","pattern":"^abc$","maxLength":2}"#, #"{"type":"string","pattern":"a^"}"#,
            ##"{"$defs":{"n":{"properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}},"$ref":"#/$defs/n"}"##,
        ])
    func impossible(schema: String) throws {
        #expect(try refusal(of: schema) != nil)
    }

    @Test(
        "References that lead back to where they stand are refused",
        arguments: [
            ##"{"$ref":"#"}"##, ##"{"allOf":[{"$ref":"#"}],"type":"string"}"##,
            ##"{"anyOf":[{"$ref":"#"},{"type":"string"}]}"##,
            ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
        ])
    func circles(schema: String) throws {
        #expect(try #require(try refusal(of: schema)).contains("$ref leads back"))
    }

    @Test(
        "Hostile schemas are refused at once",
        arguments: [
            String(repeating: #"{"items":"#, count: 500) + "{}" + String(repeating: "}", count: 500),
            #"{"description":"\#(String(repeating: "x", count: 2_000_000))"}"#,
            #"{"enum":[\#(Array(repeating: "1", count: 200_000).joined(separator: ","))]}"#,
            #"{"type":"string","pattern":"((a{1,100}){1,100}){1,100}"}"#,
            #"{"type":"string","pattern":"(a|b)*a(a|b){20}$"}"#,
            #"{"type":"string","pattern":"^\#((0..<300).map { "[\($0 % 9)-\(9)\(Unicode.Scalar(0x400 + $0)!)]" }.joined())$"}"#,
            #"{"type":"integer","multipleOf":997}"#,
            #"{"type":"object","allOf":[\#((0..<30).map { #"{"anyOf":[{"required":["a\#($0)"]},{"required":["b\#($0)"]}]}"# }.joined(separator: ","))]}"#,
        ])
    func hostile(schema: String) throws {
        #expect(try refusal(of: schema) != nil)
    }

    @Test("A grammar never gets longer than the runtime takes")
    func size() throws {
        let names = (0..<6_000).map { #""property number \#($0)":{"type":"integer"}"# }.joined(separator: ",")
        #expect(try refusal(of: #"{"properties":{\#(names)}}"#) == "#: the grammar of the schema would be too large")
    }
}
