import Testing

@testable import CarbocationLocalLLM

@Suite struct SchemaKeywordTests {
    @Test(
        "ST-5: type, also as a list",
        arguments: [
            SchemaCase(
                "true", accepts: ["1", #""a""#, "[]", "{}", "null", "-1.5e10"], rejects: ["", "nul", "01", "[1,]"]),
            SchemaCase(
                #"{"type":["string","null"]}"#, accepts: [#""a""#, "null"], rejects: ["1", "true", "[]"]),
            SchemaCase(#"{"type":"boolean"}"#, accepts: ["true", "false"], rejects: ["True", "1", "null"]),
            SchemaCase(
                #"{"type":"number"}"#, accepts: ["0", "-1", "1.5", "1e5", "1E-3", "-0.25"],
                rejects: ["01", "1.", ".5", "+1", "1e", "NaN", "--1", "0x1", #""1""#]),
            SchemaCase(
                #"{"type":"integer"}"#, accepts: ["0", "-7", "123456789012345678"], rejects: ["1.0", "01", "1e2", "-"]),
            SchemaCase(#"{"minLength":2}"#, accepts: [#""ab""#], rejects: ["5", #""a""#]),
            SchemaCase(#"{"properties":{"a":{}}}"#, accepts: ["{}", #"{"a":[1]}"#], rejects: ["5", #"{"b":1}"#]),
        ])
    func types(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("White space between the parts is free within limits")
    func space() throws {
        let matcher = try GBNFMatcher(schema: #"{"properties":{"a":{"items":{"type":"integer"}},"b":{}}}"#)
        let value = try LLMJSONValue(jsonString: #"{"a":[1,2],"b":{"c":[]}}"#)
        #expect(matcher.matches(value.jsonString()))
        #expect(matcher.matches(value.jsonString(prettyPrinted: true)))
        #expect(matcher.matches(#"{ "a" : [ 1 , 2 ] , "b" : { "c" : [ ] } }"#))
        #expect(!matcher.matches(#"{  "a":[]}"#))
        #expect(!matcher.matches(#"{"a":[]} "#))
        #expect(!matcher.matches("{\n\n\n}"))
    }

    @Test("ST-5: every choice of keys that the required ones allow", arguments: 0..<8)
    func required(mask: Int) throws {
        let keys = ["a", "b", "c"]
        let required = keys.indices.filter { mask >> $0 & 1 == 1 }
        let list = required.map { "\"\(keys[$0])\"" }.joined(separator: ",")
        for extra in ["", #","additionalProperties":{"type":"null"}"#] {
            let properties = keys.map { #""\#($0)":{"type":"integer"}"# }.joined(separator: ",")
            let matcher = try GBNFMatcher(schema: #"{"properties":{\#(properties)},"required":[\#(list)]\#(extra)}"#)
            for present in 0..<8 {
                let members = keys.indices.filter { present >> $0 & 1 == 1 }.map { "\"\(keys[$0])\":1" }
                let isComplete = required.allSatisfy { present >> $0 & 1 == 1 }
                #expect(matcher.matches("{" + members.joined(separator: ",") + "}") == isComplete)
                let more = "{" + (members + [#""x":null"#]).joined(separator: ",") + "}"
                #expect(matcher.matches(more) == (isComplete && !extra.isEmpty))
            }
        }
    }

    @Test(
        "ST-5: arrays",
        arguments: [
            SchemaCase(
                #"{"items":{"type":"integer"},"minItems":1,"maxItems":3}"#, accepts: ["[1]", "[1,2]", "[1,2,3]"],
                rejects: ["[]", "[1,2,3,4]", #"["a"]"#, "[1,]", "[,1]", "[1 2]"]),
            SchemaCase(
                #"{"prefixItems":[{"type":"integer"},{"type":"string"}]}"#,
                accepts: ["[]", "[1]", #"[1,"a"]"#, #"[1,"a",null]"#], rejects: [#"["a"]"#, "[1,2]"]),
            SchemaCase(
                #"{"prefixItems":[{"type":"integer"}],"items":{"type":"string"},"minItems":2,"maxItems":3}"#,
                accepts: [#"[1,"a"]"#, #"[1,"a","b"]"#], rejects: ["[1]", "[1,2]", #"[1,"a","b","c"]"#]),
            SchemaCase(
                #"{"items":[{"type":"integer"}],"additionalItems":false}"#, accepts: ["[]", "[1]"], rejects: ["[1,1]"]),
            SchemaCase(#"{"type":"array","maxItems":0}"#, accepts: ["[]"], rejects: ["[1]"]),
            SchemaCase(#"{"items":false}"#, accepts: ["[]"], rejects: ["[1]"]),
        ])
    func arrays(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("Counts around the size of one repetition are exact", arguments: [255, 256, 257, 300, 511, 512, 513, 1000])
    func counts(count: Int) throws {
        let bounded = try GBNFMatcher(schema: #"{"type":"string","minLength":\#(count - 2),"maxLength":\#(count)}"#)
        let open = try GBNFMatcher(schema: #"{"items":{"type":"null"},"minItems":\#(count)}"#)
        for length in (count - 4)...(count + 2) {
            let text = "\"" + String(repeating: "x", count: length) + "\""
            #expect(bounded.matches(text) == (count - 2...count).contains(length))
            let array = "[" + Array(repeating: "null", count: length).joined(separator: ",") + "]"
            #expect(open.matches(array) == (length >= count))
        }
    }

    @Test("Any length can be asked for")
    func hugeCounts() throws {
        let matcher = try GBNFMatcher(schema: #"{"type":"string","maxLength":9223372036854775807}"#)
        #expect(matcher.matches("\"" + String(repeating: "x", count: 700) + "\""))
        let least = try GBNFMatcher(schema: #"{"type":"array","minItems":1000000}"#)
        #expect(!least.matches("[1,2]"))
    }

    @Test("Many optional keys")
    func manyKeys() throws {
        let properties = (0..<500).map { #""k\#($0)":{"type":"integer"}"# }.joined(separator: ",")
        let matcher = try GBNFMatcher(schema: #"{"properties":{\#(properties)},"additionalProperties":true}"#)
        #expect(matcher.matches(#"{"k0":1,"k250":2,"k499":3,"other":[]}"#))
        #expect(matcher.matches("{}"))
        #expect(!matcher.matches(#"{"k499":1,"k0":2}"#))
        #expect(!matcher.matches(#"{"k17":"x"}"#))
    }

    @Test("Keys with any characters, and with accents in either form")
    func keys() throws {
        let schema = #"""
            {"properties":{"a b":{"type":"integer"},"é":{"type":"integer"},"q\"\\":{"type":"integer"},"":{"type":"integer"}},
            "additionalProperties":{"type":"null"}}
            """#
        try SchemaCase(
            schema,
            accepts: [#"{"a b":1,"é":2,"q\"\\":3,"":4,"z":null}"#, #"{"\u00E9":1}"#, #"{"e":null,"日":null}"#],
            rejects: [#"{"é":null}"#, #"{"\u00e9":null}"#, "{\"e\u{301}\":null}", #"{"q\"\\":null}"#, #"{"":null}"#]
        ).check()
    }
}
