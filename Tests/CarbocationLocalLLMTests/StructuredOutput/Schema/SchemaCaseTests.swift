import Testing

@testable import CarbocationLocalLLM

/// The reported cases and the contract's table.
@Suite struct SchemaCaseTests {
    @Test("G04: a large length of a nested string is put together of smaller repetitions")
    func longStrings() throws {
        let schema = #"""
            {"type": "object", "properties": {"o": {"type": "object", "properties": {
            "s": {"type": "string", "maxLength": 5000}}}}}
            """#
        let grammar = try JSONSchemaGrammar.gbnf(for: LLMJSONValue(jsonString: schema))
        #expect(!grammar.contains("5000"))
        let matcher = try GBNFMatcher(grammar)
        let text = String(repeating: "x", count: 5000)
        #expect(matcher.matches(#"{"o":{"s":"\#(text)"}}"#))
        #expect(!matcher.matches(#"{"o":{"s":"\#(text)x"}}"#))
        #expect(matcher.matches("{}"))
        #expect(matcher.mostWays < 16)
    }

    @Test(
        "G05: patterns within items and properties, and those without anchors",
        arguments: [
            SchemaCase(
                #"{"type":"array","items":{"type":"string","pattern":"^(v\\d+|[a-z]{2,3})$"}}"#,
                accepts: [#"["v12","abc"]"#, "[]", #"["ab"]"#], rejects: [#"["x"]"#, #"["v"]"#, #"["abcd"]"#]),
            SchemaCase(
                #"{"type":"object","properties":{"k":{"type":"string","pattern":"\\S"}}}"#,
                accepts: [#"{"k":" a "}"#, #"{"k":"\\"}"#], rejects: [#"{"k":"  "}"#, #"{"k":"\n"}"#, #"{"k":""}"#]),
        ])
    func patterns(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("G06: an escaped exclamation mark is one")
    func exclamation() throws {
        try SchemaCase(
            #"{"type":"string","pattern":"^hi\\!$"}"#, accepts: [#""hi!""#], rejects: [#""hi""#, #""hi\\!""#, "1"]
        ).check()
    }

    @Test("G08: references into arrays, recursive ones, and those that lead nowhere")
    func references() throws {
        try SchemaCase(
            #"""
            {"type":"object","properties":{"t":{"anyOf":[{"type":"string"},
            {"type":"object","properties":{"l":{"$ref":"#/properties/t/anyOf/1"}}}]}}}
            """#,
            accepts: [#"{"t":{"l":{"l":{}}}}"#, #"{"t":"x"}"#, "{}"], rejects: [#"{"t":{"l":"x"}}"#, #"{"t":1}"#]
        ).check()
        #expect(try refusal(of: ##"{"$ref":"#/$defs/none"}"##) == "#: $ref '#/$defs/none' leads to nothing")
        #expect(
            try refusal(of: #"{"items":{"$ref":"https://example.com/s.json"}}"#)
                == "#/items: $ref leads to another document, 'https://example.com/s.json'")
    }

    @Test("G09: additional properties are checked, comma and all, and a declared key comes once")
    func additionalProperties() throws {
        try SchemaCase(
            #"{"type":"object","properties":{"a":{"type":"number"}},"additionalProperties":{"type":"string"}}"#,
            accepts: [#"{"a":1,"z":"x"}"#, #"{"z":"x"}"#, "{}", #"{"a":1}"#, #"{"z":"x","ab":"y","":""}"#],
            rejects: [
                #"{"z":1}"#, #"{"a":1,}"#, #"{"a":1,"a":2}"#, #"{"a":1,"a":"x"}"#, #"{"\u0061":"x"}"#, #"{,"z":"x"}"#,
            ]
        ).check()
    }

    @Test(
        "G10: bounds of integers",
        arguments: [
            SchemaCase(
                #"{"type":"integer","minimum":3}"#, accepts: ["3", "10", "99", "100"],
                rejects: ["0", "2", "01", "03", "-5", "3.0", "3e1"]),
            SchemaCase(
                #"{"type":"integer","minimum":-12,"maximum":7}"#, accepts: (-12...7).map(String.init),
                rejects: (-130...(-13)).map(String.init) + (8...130).map(String.init) + ["-0", "-012", "07"]),
            SchemaCase(
                #"{"type":"integer","exclusiveMaximum":0}"#, accepts: ["-1", "-10", "-99"], rejects: ["0", "1", "-0"]),
        ])
    func integers(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("G10: bounds that exclude each other are an error")
    func emptyRange() throws {
        #expect(try refusal(of: #"{"type":"integer","minimum":5,"maximum":4}"#) == "#: minimum is above the maximum")
    }

    @Test("G11: listed values of any kind, and nothing else")
    func listedValues() throws {
        let values = [#""say \"hi\"""#, #""back\\slash""#, #""é""#, #""""#, "1", "null", #"{"a":1}"#]
        try SchemaCase(
            #"{"enum":["say \"hi\"","back\\slash","é","",1,null,{"a":1}]}"#,
            accepts: values + [#""\u00e9""#, #"{ "a": 1 }"#],
            rejects: [#""say""#, #""say "hi"""#, #""e""#, "2", "11", "nul", #"{"a":2}"#, #"{"a":1,"b":1}"#, "{}", ""]
        ).check()
    }

    @Test("G12: an escape is one character, also where the length is limited")
    func lengths() throws {
        let valid = [#""a\nb""#, #""\"x\"""#, #""\u00e9""#, #""\ud83d\ude00abc""#, #""日本語é""#, #""😀😀😀😀""#, #""""#]
        let wrong = [#""abcde""#, #""a\n\n\n\n""#, "\"a\nb\"", #""\x""#, #""\u12""#, #""\ud800""#, #""a"#]
        try SchemaCase(#"{"type":"string","maxLength":4}"#, accepts: valid, rejects: wrong).check()
        let anyLength = SchemaCase(
            #"{"type":"string"}"#, accepts: valid + [#""abcde""#], rejects: Array(wrong.dropFirst(2)))
        try anyLength.check()
    }

    @Test("G14: keys come in the order of the properties")
    func order() throws {
        try SchemaCase(
            #"""
            {"type":"object","properties":{"thought":{"type":"string"},"act":{"type":"string"}},
            "required":["act","thought"]}
            """#,
            accepts: [#"{"thought":"t","act":"a"}"#],
            rejects: [#"{"act":"a","thought":"t"}"#, #"{"thought":"t"}"#, #"{"act":"a"}"#, "{}"]
        ).check()
    }

    @Test("ST-5: a reference to listed values")
    func referenceToValues() throws {
        try SchemaCase(
            ##"{"$ref":"#/$defs/color","$defs":{"color":{"enum":["red","blue"]}}}"##,
            accepts: [#""red""#, #""blue""#], rejects: ["{}", #""re""#, #""redblue""#]
        ).check()
    }

    @Test("The same schema always gives the same grammar")
    func determinism() throws {
        let schema = try LLMJSONValue(
            jsonString: #"""
                {"type":"object","properties":{"a":{"enum":["x","y",1,null]},"b":{"type":"string","pattern":"[a-c]+\\d"},
                "c":{"anyOf":[{"type":"number","minimum":0},{"type":"null"}]}},"additionalProperties":true}
                """#)
        let first = try JSONSchemaGrammar.gbnf(for: schema)
        for _ in 0..<5 { #expect(try JSONSchemaGrammar.gbnf(for: schema) == first) }
    }
}
