import CarbocationLocalLLM
import Testing

@Suite("Types of values written as text")
struct TypingTests {
    /// The value that text becomes for a parameter with this schema, as JSON; nil if it is left out.
    private func typed(
        _ text: String, _ schema: LLMJSONValue, notation: TaggedArgument.Notation = .unspecified
    ) -> String? {
        let arguments = ArgumentsText.tagged([TaggedArgument(key: "p", text: text, notation: notation)])
        let root: LLMJSONValue = [
            "type": "object", "properties": ["p": schema],
            "$defs": ["count": ["type": "integer"], "loop": ["$ref": "#/$defs/loop"]],
        ]
        return arguments.object(for: root).value(forKey: "p")?.jsonString()
    }

    @Test(
        "lossless conversion to the declared type",
        arguments: [
            ("10", #"{"type":"number"}"#, "10"), (" 10\n", #"{"type":"number"}"#, "10"),
            ("1.50", #"{"type":"number"}"#, "1.5"), ("-3", #"{"type":"integer"}"#, "-3"),
            ("10.0", #"{"type":"integer"}"#, "10.0"), ("1e3", #"{"type":"number"}"#, "1000.0"),
            ("00501", #"{"type":"string"}"#, #""00501""#), ("10", #"{"type":"string"}"#, #""10""#),
            ("True", #"{"type":"boolean"}"#, "true"), ("false", #"{"type":"boolean"}"#, "false"),
            ("TRUE", #"{"type":"boolean"}"#, "true"),
            (#"["a"]"#, #"{"type":"array"}"#, #"["a"]"#), ("['a', True]", #"{"type":"array"}"#, #"["a",true]"#),
            (#"{"a": [1, null]}"#, #"{"type":"object"}"#, #"{"a":[1,null]}"#),
            ("{'a': None}", #"{"type":"object"}"#, #"{"a":null}"#),
            ("7", ##"{"$ref":"#/$defs/count"}"##, "7"), ("7", ##"{"$ref":"#/$defs/loop"}"##, #""7""#),
            ("2", #"{"enum":[1,2]}"#, "2"), ("celsius", #"{"enum":["celsius"]}"#, #""celsius""#),
            ("2", #"{"const":2}"#, "2"), ("3", #"{"allOf":[{"type":"integer"},{"minimum":1}]}"#, "3"),
            ("9223372036854775807", #"{"type":"integer"}"#, "9223372036854775807"),
        ])
    func conversion(text: String, schema: String, expected: String) throws {
        #expect(try typed(text, LLMJSONValue(jsonString: schema)) == expected)
    }

    @Test(
        "what cannot be converted stays text",
        arguments: [
            ("ten", #"{"type":"number"}"#), ("007", #"{"type":"integer"}"#), ("1.5", #"{"type":"integer"}"#),
            ("18446744073709551615", #"{"type":"integer"}"#), ("yes", #"{"type":"boolean"}"#),
            ("a, b", #"{"type":"array"}"#), (#"{"a":1}"#, #"{"type":"array"}"#), (#"["a""#, #"{"type":"array"}"#),
            ("NaN", #"{"type":"number"}"#), ("1_000", #"{"type":"number"}"#),
        ])
    func unconvertible(text: String, schema: String) throws {
        #expect(try typed(text, LLMJSONValue(jsonString: schema)) == LLMJSONValue.string(text).jsonString())
    }

    @Test(
        "P09: nothing, None and null",
        arguments: [
            ("", #"{"type":"integer"}"#, nil), ("none", #"{"type":"integer"}"#, nil),
            ("None", #"{"type":"boolean"}"#, nil),
            ("null", #"{"type":"object"}"#, nil), (" \n", #"{"type":"array"}"#, nil),
            ("null", #"{"type":["integer","null"]}"#, "null"), ("", #"{"type":["integer","null"]}"#, "null"),
            ("none", #"{"type":"string"}"#, #""none""#), ("null", #"{"type":"string"}"#, #""null""#),
            ("None", #"{"type":"string"}"#, #""None""#), ("", #"{"type":"string"}"#, #""""#),
            ("null", #"{"type":["string","null"]}"#, "null"), ("none", #"{"type":["string","null"]}"#, #""none""#),
            ("", #"{"type":["string","null"]}"#, #""""#),
        ] as [(String, String, String?)])
    func nothing(text: String, schema: String, expected: String?) throws {
        #expect(try typed(text, LLMJSONValue(jsonString: schema)) == expected)
    }

    @Test(
        "types together with text only where the value is written just so",
        arguments: [
            ("10", #"{"type":["string","integer"]}"#, "10"), ("010", #"{"type":["string","integer"]}"#, #""010""#),
            ("1.50", #"{"anyOf":[{"type":"number"},{"type":"string"}]}"#, #""1.50""#),
            ("1.5", #"{"oneOf":[{"type":"number"},{"type":"string"}]}"#, "1.5"),
            (" 10", #"{"type":["string","integer"]}"#, "10"), ("true", #"{"type":["boolean","string"]}"#, "true"),
            (#"{"a": 1}"#, #"{"type":["object","string"]}"#, #"{"a":1}"#),
            ("{not json", #"{"type":["object","string"]}"#, #""{not json""#),
            ("2 dollars", #"{"type":["number","string"]}"#, #""2 dollars""#),
            ("5", #"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, "5"),
        ])
    func unions(text: String, schema: String, expected: String) throws {
        #expect(try typed(text, LLMJSONValue(jsonString: schema)) == expected)
    }

    @Test("a parameter without a type is text, or what can only be JSON")
    func untyped() {
        #expect(typed("10", [:]) == #""10""#)
        #expect(typed("[1]", ["description": "anything"]) == "[1]")
        #expect(typed("[1", true) == #""[1""#)
    }

    @Test("undeclared parameters are text, or of the type of additional ones")
    func undeclared() {
        let arguments = ArgumentsText.tagged([TaggedArgument(key: "z", text: "[1]")])
        #expect(arguments.object(for: nil) == ["z": "[1]"])
        #expect(arguments.object(for: ["properties": ["a": ["type": "array"]]]) == ["z": "[1]"])
        #expect(arguments.object(for: ["additionalProperties": ["type": "array"]]) == ["z": [1]])
    }

    @Test("a tag's statement decides where the schema does not")
    func notation() {
        #expect(typed("5", ["type": "string"], notation: .json) == #""5""#)
        #expect(typed("5", ["type": "integer"], notation: .text) == "5")
        #expect(typed("5", ["type": ["integer", "string"]], notation: .text) == #""5""#)
        let arguments = ArgumentsText.tagged([
            TaggedArgument(key: "j", text: "5", notation: .json), TaggedArgument(key: "t", text: "5", notation: .text),
            TaggedArgument(key: "x", text: "five", notation: .json),
        ])
        #expect(arguments.object(for: nil) == ["j": 5, "t": "5", "x": "five"])
    }

    @Test("parameters declared through references and combinations")
    func combinedSchema() throws {
        let schema = try LLMJSONValue(
            jsonString: ##"{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"properties":{"n":{"type":"integer"}}}]}}}"##)
        let arguments = ArgumentsText.tagged([TaggedArgument(key: "n", text: "5")])
        #expect(arguments.object(for: schema) == ["n": 5])
    }
}
