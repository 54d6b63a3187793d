import CarbocationLocalLLM
import Testing

@Suite("LLMJSONValue, writing")
struct JSONWriterTests {
    @Test(
        "JS-5: compact JSON",
        arguments: [
            (nil, "null"), (true, "true"), (-5, "-5"), (5.0, "5.0"), (-0.0, "-0.0"), (1e100, "1e+100"),
            (.int(.min), "-9223372036854775808"), (.double(.nan), "null"), (.double(-.infinity), "null"),
            ([], "[]"), ([:], "{}"), ([1, [], [:], "x"], #"[1,[],{},"x"]"#),
            (["a": ["b": nil], "c": 1], #"{"a":{"b":null},"c":1}"#),
            ("a/b é 😀 \u{2028}", "\"a/b é 😀 \u{2028}\""),
            ("\"\\\n\r\t\u{8}\u{C}", #""\"\\\n\r\t\b\f""#),
            ("\u{0}\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""),
            (["a\"b": 1], #"{"a\"b":1}"#),
        ] as [(LLMJSONValue, String)])
    func compact(value: LLMJSONValue, expected: String) throws {
        #expect(value.jsonString() == expected)
        if value.jsonString() != "null" { #expect(try LLMJSONValue(jsonString: expected) == value) }
    }

    @Test("JS-5: pretty-printed JSON")
    func prettyPrinted() throws {
        let value: LLMJSONValue = ["b": [1, ["x": nil], []], "a": [:]]
        let expected = """
            {
              "b": [
                1,
                {
                  "x": null
                },
                []
              ],
              "a": {}
            }
            """
        #expect(value.jsonString(prettyPrinted: true) == expected)
        #expect(try LLMJSONValue(jsonString: expected) == value)
        #expect(value.jsonString(prettyPrinted: true, sortedKeys: true).hasPrefix("{\n  \"a\": {},\n  \"b\": ["))
    }

    @Test("JS-5: sorted keys at every level")
    func sortedKeys() {
        let value: LLMJSONValue = ["b": ["d": 1, "c": 2], "a": [["f": 1, "e": 2]]]
        #expect(value.jsonString(sortedKeys: true) == #"{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}"#)
    }

    @Test(
        "JS-5: doubles are written so that the same ones are read",
        arguments: [0.1, 1e21, 1e-7, 123456789.125, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func doubles(number: Double) throws {
        let json = LLMJSONValue.double(number).jsonString()
        #expect(try LLMJSONValue(jsonString: json) == .double(number))
    }
}
