import CarbocationLocalLLM
import Testing

@Suite("Schema validation", .timeLimit(.minutes(10)))
struct LLMJSONSchemaValidatorTests {
    private func violations(_ value: LLMJSONValue, _ schema: LLMJSONValue) -> [String] {
        LLMJSONSchemaValidator.violations(of: value, against: schema)
    }

    static let cases: [(schema: LLMJSONValue, valid: [LLMJSONValue], invalid: [LLMJSONValue])] = [
        (["type": "integer"], [1, 1.0, -3.0, 1e300], [1.5, "1", true, nil]),
        (["type": "number"], [1, 1.5], ["1", nil]),
        (["type": ["string", "null"]], ["a", nil], [1, []]),
        (["type": "boolean"], [true], [0, "true"]),
        (["type": "unknown"], [1, "a"], []),
        (["enum": ["a", 1, nil, ["b": 1]]], ["a", 1, 1.0, nil, ["b": 1.0]], ["A", 2, ["b": 2], false]),
        (["const": [1, 2]], [[1, 2], [1.0, 2]], [[2, 1], [1]]),
        (
            ["type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"]],
            [["a": 1], ["a": 1, "b": "x"]], [[:], ["a": "1"], ["b": 1]]
        ),
        (
            ["properties": ["a": ["type": "number"]], "additionalProperties": ["type": "string"]],
            [["a": 1, "z": "x"], [:]], [["z": 1]]
        ),
        (["properties": ["a": true], "additionalProperties": false], [["a": 1]], [["b": 1]]),
        (["items": ["type": "integer"]], [[], [1, 2], "no list"], [[1, "a"]]),
        (
            ["prefixItems": [["type": "string"]], "items": ["type": "integer"]], [["a", 1], ["a"], []],
            [[1], ["a", "b"]]
        ),
        (["minItems": 1, "maxItems": 2], [[1], [1, 2]], [[], [1, 2, 3]]),
        (["minLength": 2, "maxLength": 4], ["ab", "a\nb", "😀😀", "é12"], ["a", "abcde"]),
        (["minimum": 3, "maximum": 9], [3, 9, 3.0], [2, 10, 2.9]),
        (["exclusiveMinimum": 3, "exclusiveMaximum": 9], [4, 3.1, 8.9], [3, 9, 3.0]),
        (["minimum": 9_007_199_254_740_993], [9_007_199_254_740_993], [9_007_199_254_740_992]),
        (["anyOf": [["type": "string"], ["minimum": 5]]], ["a", 6], [4]),
        (["oneOf": [["type": "integer"], ["type": "string"]]], [1, "a"], [true]),
        (["oneOf": [["type": "integer"], ["type": "number"]]], [1.5], [1]),
        (["allOf": [["minimum": 1], ["maximum": 3]]], [1, 2, 3], [0, 4]),
        (["$ref": "#/$defs/colour", "$defs": ["colour": ["enum": ["red"]]]], ["red"], ["blue", [:]]),
        (["$ref": "#/a~1b/0/c%20d", "a/b": [["c d": ["type": "string"]]]], ["x"], [1]),
        (["$ref": "https://example.com/x", "type": "string"], ["x"], [1]),
        (["$ref": "#/nowhere"], [1, "x"], []),
        (["format": "date"], ["2024-02-29", 1], ["2023-02-29", "2024-13-01", "2024-1-1", "x"]),
        (["format": "time"], ["12:00:00Z", "23:59:60.5+01:30"], ["12:00", "24:00:00Z", "12:00:00", "12:00:00.Z"]),
        (["format": "date-time"], ["2024-02-29T12:00:00Z", "2024-02-29t12:00:00-08:00"], ["2024-02-29", "x"]),
        (["format": "uuid"], ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567e89b12d3a456426614174000", ""]),
        (["format": "email"], ["anything"], []),
        (["pattern": "^[a-z]+$"], ["abc"], ["", "aB", "abc1"]),
        (["pattern": "b+"], ["abbbc"], ["ac"]),
        (true, [1], []), (false, [], [1, nil]), (nil, [1], []), ("text", [1], []),
        (["unknown": 1, "title": "x", "minLength": "a"], [1, ""], []),
    ]

    @Test("TL-9: keywords", arguments: cases.indices)
    func keywords(index: Int) {
        let (schema, valid, invalid) = Self.cases[index]
        for value in valid { #expect(violations(value, schema) == [], "\(value.jsonString())") }
        for value in invalid { #expect(!violations(value, schema).isEmpty, "\(value.jsonString())") }
    }

    @Test("TL-9: paths are JSON pointers")
    func paths() {
        let schema: LLMJSONValue = [
            "properties": [
                "list": ["items": ["properties": ["a/b~c": ["type": "integer"]], "required": ["x"]]],
                "n": ["maximum": 3],
            ], "required": ["list", "content"],
        ]
        #expect(
            violations(["list": [["x": 1], ["a/b~c": "s"]], "n": 4], schema) == [
                "/content is required and missing.", "/list/1/x is required and missing.",
                "/list/1/a~1b~0c is string, not integer.", "/n is greater than 3.",
            ])
        #expect(violations(1, ["type": "object"]) == ["The value is integer, not object."])
    }

    @Test("recursive schemas follow the value")
    func recursion() {
        let schema: LLMJSONValue = [
            "type": "object", "properties": ["next": ["$ref": "#"], "v": ["type": "integer"]], "required": ["v"],
        ]
        #expect(violations(["v": 1, "next": ["v": 2, "next": ["v": 3]]], schema) == [])
        #expect(
            violations(["v": 1, "next": ["v": 2, "next": [:]]], schema) == ["/next/next/v is required and missing."])
    }

    @Test("circular references end")
    func circles() {
        #expect(!violations(1, ["$ref": "#"]).isEmpty)
        let pair: LLMJSONValue = ["$ref": "#/a", "a": ["$ref": "#/b"], "b": ["$ref": "#/a"]]
        #expect(!violations(1, pair).isEmpty)
    }

    @Test("alternatives that multiply end")
    func multiplication() {
        let schema: LLMJSONValue = [
            "anyOf": [
                ["items": ["$ref": "#"], "type": "array"], ["items": ["$ref": "#"], "minItems": 1, "type": "array"],
            ]
        ]
        var value: LLMJSONValue = 1
        for _ in 0..<60 { value = [value] }
        #expect(!violations(value, schema).isEmpty)
    }

    @Test("deep values end")
    func depth() {
        var value: LLMJSONValue = []
        for _ in 0..<400 { value = [value] }
        #expect(violations(value, ["items": ["$ref": "#"]]).count == 1)
    }

    @Test("not more than some violations are listed")
    func limit() {
        let value = LLMJSONValue.array((0..<1_000).map { .int($0) })
        #expect(violations(value, ["items": ["type": "string"]]).count == 32)
    }

    static let patterns: [(String, matching: [String], others: [String])] = [
        ("", ["", "a"], []), ("^$", [""], ["a"]), ("^(ab|cd)+$", ["ab", "abcd"], ["", "abc"]),
        ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]), ("^a{2}$", ["aa"], ["aaa"]), ("^a{2,}$", ["aaaa"], ["a"]),
        ("^a{,2}$", ["a{,2}"], ["a"]), (#"^\d{3}-\d{4}$"#, ["555-1234"], ["5555-123"]),
        (#"^[\w.+-]+@\w+\.\w{2,}$"#, ["a.b+c@d.org"], ["a@b", "@d.org"]),
        ("[^a-c]", ["d", "ad"], ["abc", ""]), (#"^[\]\\-]+$"#, [#"]\-"#], ["a"]), (#"^\u00e9\x41$"#, ["éA"], ["eA"]),
        (#"\bcat\b"#, ["a cat!"], ["concat"]), (#"^(?:a|b)?c$"#, ["c", "ac"], ["abc"]), ("^(?<y>x)+?$", ["xx"], [""]),
        ("^.$", ["a", "😀"], ["", "\n", "ab"]), (#"^\S+$"#, ["ab"], ["a b"]), (#"^[^\d]$"#, ["a"], ["1"]),
        ("a|^b", ["xa", "bx"], ["xb"]), (#"^[\d-]+$"#, ["1-2"], ["a"]), ("^(a|)$", ["", "a"], ["b"]),
    ]

    @Test("regular expressions", arguments: patterns.indices)
    func expressions(index: Int) {
        let (pattern, matching, others) = Self.patterns[index]
        for text in matching { #expect(violations(.string(text), ["pattern": .string(pattern)]) == [], "\(text)") }
        for text in others { #expect(!violations(.string(text), ["pattern": .string(pattern)]).isEmpty, "\(text)") }
    }

    @Test(
        "regular expressions that are not supported or not valid restrict nothing",
        arguments: [
            "(?=a)", "(?<!a)b", #"(a)\1"#, "(", ")", "[", "*", "a**b(", #"\"#, #"\p{L}"#, "a{3,1}", "(a{1000}){1000}",
        ])
    func unsupported(pattern: String) {
        #expect(violations("zzz", ["pattern": .string(pattern)]) == [])
    }

    @Test("a pattern that makes other engines run for ever")
    func catastrophic() {
        let text = String(repeating: "a", count: 5_000) + "!"
        #expect(!violations(.string(text), ["pattern": "^(a+)+$"]).isEmpty)
    }
}
