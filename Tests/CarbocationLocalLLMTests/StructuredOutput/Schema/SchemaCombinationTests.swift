import Testing

@testable import CarbocationLocalLLM

@Suite struct SchemaCombinationTests {
    @Test(
        "ST-5: anyOf, also beside other keywords",
        arguments: [
            SchemaCase(
                #"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, accepts: [#""a""#, "1"], rejects: ["null", "1.5"]),
            SchemaCase(
                #"{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
                accepts: [#"{"a":1}"#, #"{"b":1}"#, #"{"a":1,"b":2}"#], rejects: ["{}", #"{"c":1}"#]),
            SchemaCase(
                #"{"type":"string","anyOf":[{"minLength":3},{"enum":["a",1]}]}"#, accepts: [#""abc""#, #""a""#],
                rejects: ["1", #""ab""#]),
            SchemaCase(
                #"{"anyOf":[{"anyOf":[{"type":"integer"},{"type":"null"}]},{"const":"x"}]}"#,
                accepts: ["1", "null", #""x""#],
                rejects: [#""y""#]),
        ])
    func anyOf(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test(
        "ST-5: allOf puts schemas together",
        arguments: [
            SchemaCase(
                #"{"allOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"string"}}}]}"#,
                accepts: [#"{"a":1}"#, #"{"a":1,"b":"x"}"#], rejects: [#"{"b":"x"}"#, #"{"a":1,"c":2}"#]),
            SchemaCase(
                #"{"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"a":{"minimum":5}}}]}"#,
                accepts: [#"{"a":5}"#, "{}"], rejects: [#"{"a":4}"#, #"{"a":5.5}"#]),
            SchemaCase(
                #"{"allOf":[{"properties":{"a":{}},"additionalProperties":false},{"properties":{"a":{},"b":{}}}]}"#,
                accepts: [#"{"a":1}"#], rejects: [#"{"b":1}"#]),
            SchemaCase(
                #"{"allOf":[{"properties":{"a":{}},"additionalProperties":true},{"properties":{"b":{"type":"null"}}}]}"#,
                accepts: [#"{"a":1,"b":null,"z":1}"#], rejects: [#"{"b":1}"#]),
            SchemaCase(
                #"{"allOf":[{"type":"number","minimum":2},{"type":"integer","maximum":5}]}"#, accepts: ["2", "5"],
                rejects: ["1", "6", "2.5"]),
            SchemaCase(
                #"{"allOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}"#, accepts: [#""b""#], rejects: [#""a""#, #""c""#]),
            SchemaCase(
                #"{"allOf":[{"anyOf":[{"type":"string"},{"type":"integer"}]},{"anyOf":[{"type":"integer"},{"type":"null"}]}]}"#,
                accepts: ["1"], rejects: [#""a""#, "null"]),
            SchemaCase(
                ##"{"$ref":"#/$defs/s","maxLength":2,"$defs":{"s":{"type":"string"}}}"##, accepts: [#""ab""#],
                rejects: [#""abc""#]),
        ])
    func allOf(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test(
        "ST-5: oneOf, where generated values fit one alternative only",
        arguments: [
            SchemaCase(
                #"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#, accepts: [#""a""#, "1"], rejects: ["null"]),
            SchemaCase(#"{"oneOf":[{"enum":[1,2]},{"enum":[2,3]}]}"#, accepts: ["1", "3"], rejects: ["2"]),
            SchemaCase(
                #"{"oneOf":[{"type":"integer","maximum":3},{"type":"integer","minimum":4}]}"#, accepts: ["3", "4"],
                rejects: ["3.5"]),
            SchemaCase(
                #"{"oneOf":[{"properties":{"k":{"const":"x"},"v":{}},"required":["k"]},{"properties":{"k":{"const":"y"}},"required":["k"]}]}"#,
                accepts: [#"{"k":"x","v":1}"#, #"{"k":"y"}"#], rejects: ["{}", #"{"k":"y","v":1}"#]),
            SchemaCase(
                #"{"oneOf":[{"properties":{"k":{"const":"x"}}},{"properties":{"k":{"const":"y"}}}]}"#,
                accepts: [#"{"k":"x"}"#, #"{"k":"y"}"#], rejects: ["{}"]),
            SchemaCase(
                #"{"oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}"#,
                accepts: [#"{"a":1}"#, #"{"b":1}"#], rejects: ["{}", #"{"a":1,"b":1}"#]),
            SchemaCase(
                #"{"oneOf":[{"type":"string","pattern":"^a"},{"type":"string","pattern":"^b"}]}"#,
                accepts: [#""ax""#, #""b""#], rejects: [#""c""#]),
            SchemaCase(
                #"{"oneOf":[{"type":"array","maxItems":1},{"type":"array","minItems":2}]}"#, accepts: ["[]", "[1,2]"],
                rejects: ["{}"]),
        ])
    func oneOf(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test(
        "oneOf with alternatives that overlap is refused",
        arguments: [
            #"{"oneOf":[{"type":"integer"},{"type":"number"}]}"#, #"{"oneOf":[{"const":1},{"type":"integer"}]}"#,
            #"{"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}"#,
            #"{"oneOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}"#, #"{"oneOf":[{},{"type":"string"}]}"#,
        ])
    func overlap(schema: String) throws {
        #expect(
            try #require(try refusal(of: schema)).hasPrefix("#: oneOf has alternatives that one value may fit at once"))
    }

    @Test(
        "G08: references are JSON pointers",
        arguments: [
            (##"#/$defs/a~1b"##, #""a/b""#), (##"#/$defs/a~0b"##, #""a~b""#), (##"#/$defs/a%20b"##, #""a b""#),
            (##"#/$defs/%C3%A9"##, #""é""#), (##"#/$defs/a%25b"##, #""a%b""#), (##"#/$defs/"##, #""""#),
            (##"#/$defs/~01"##, #""~1""#), (##"#/$defs/0"##, #""0""#),
        ])
    func pointers(reference: String, key: String) throws {
        let schema = #"{"$ref":"\#(reference)","$defs":{\#(key):{"type":"null"}}}"#
        try SchemaCase(schema, accepts: ["null"], rejects: ["1"]).check()
    }

    @Test(
        "References that are none, or lead to no schema, are refused",
        arguments: [
            "#foo", "#/a%", "#/a%G1", "#/a~2", "#/a~", "#/title", "#/enum/00", "#/enum/7", "s.json#/a", "http://a/b",
        ])
    func wrongReferences(reference: String) throws {
        let reason = try refusal(of: #"{"items":{"$ref":"\#(reference)"},"title":"t","enum":[[1]]}"#)
        #expect(try #require(reason).hasPrefix("#/items: $ref "))
    }

    @Test("Recursive schemas become recursive rules")
    func recursion() throws {
        try SchemaCase(
            ##"{"properties":{"v":{"type":"integer"},"next":{"$ref":"#"}},"required":["v"]}"##,
            accepts: [#"{"v":1}"#, #"{"v":1,"next":{"v":2,"next":{"v":3}}}"#], rejects: [#"{"v":1,"next":{}}"#]
        ).check()
        try SchemaCase(
            ##"{"anyOf":[{"type":"integer"},{"items":{"$ref":"#"},"type":"array"}]}"##, accepts: ["1", "[1,[2,[]]]"],
            rejects: [#"["a"]"#]
        ).check()
    }

    @Test("Below an $id of its own, a reference is refused")
    func otherResource() throws {
        let schema = ##"{"properties":{"a":{"$id":"https://e.org/a","items":{"$ref":"#/properties/b"}},"b":{}}}"##
        #expect(try #require(try refusal(of: schema)).hasPrefix("#/properties/a/items: $ref stands below an $id"))
    }
}
