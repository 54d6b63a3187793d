import CarbocationLocalLLM
import Testing

@Suite("LLMJSONObject")
struct LLMJSONObjectTests {
    @Test("JS-1: equality and hash ignore order")
    func equality() {
        let first: LLMJSONObject = ["a": 1, "b": [2]]
        let second: LLMJSONObject = ["b": [2], "a": 1]
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first.keys != second.keys)
        #expect(first != ["a": 1])
        #expect(first != ["a": 1, "b": [3]])
        #expect(LLMJSONValue.object(first) == .object(second))
    }

    @Test("JS-2: of equal keys the last value counts, at the first place")
    func duplicates() throws {
        let literal: LLMJSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(literal.pairs.map(\.key) == ["a", "b"])
        #expect(literal["a"] == 3)
        let created = LLMJSONObject([("a", 1), ("b", 2), ("a", 3)])
        #expect(created == literal)
        #expect(created.keys == ["a", "b"])
        let parsed = try LLMJSONValue(jsonString: #"{"a":1,"b":2,"a":3}"#)
        #expect(parsed.jsonString() == #"{"a":3,"b":2}"#)
        let value: LLMJSONValue = ["a": 1, "a": 2]
        #expect(value == ["a": 2])
    }

    @Test("the subscript appends, replaces in place and removes")
    func mutation() {
        var object: LLMJSONObject = ["a": 1, "b": 2]
        object["c"] = 3
        object["a"] = 4
        object["b"] = .some(nil)
        #expect(object.keys == ["a", "b", "c"])
        #expect(object["b"] == .null)
        object["b"] = LLMJSONValue?.none
        object["none"] = LLMJSONValue?.none
        #expect(object.keys == ["a", "c"])
        #expect(object.pairs.map(\.value) == [4, 3])
        #expect(object["b"] == nil)
        #expect(LLMJSONObject().keys.isEmpty)
    }
}
