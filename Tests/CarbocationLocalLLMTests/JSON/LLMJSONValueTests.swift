import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMJSONValue")
struct LLMJSONValueTests {
    @Test("JS-1: an integer is not a double")
    func numbersStayDistinct() throws {
        #expect(LLMJSONValue.int(1) != .double(1))
        #expect(try LLMJSONValue(jsonString: "1") != LLMJSONValue(jsonString: "1.0"))
        #expect(try LLMJSONValue(jsonString: "1.0").jsonString() == "1.0")
        #expect(try LLMJSONValue(jsonString: "1").jsonString() == "1")
    }

    @Test("literals give their kinds")
    func literals() {
        let value: LLMJSONValue = ["n": nil, "b": true, "i": 1, "d": 1.0, "s": "x", "a": [1, "y"], "o": ["k": 2]]
        #expect(value.value(forKey: "n") == .null)
        #expect(value.value(forKey: "b") == .bool(true))
        #expect(value.value(forKey: "i") == .int(1))
        #expect(value.value(forKey: "d") == .double(1))
        #expect(value.value(forKey: "s") == .string("x"))
        #expect(value.value(forKey: "a") == .array([.int(1), .string("y")]))
        #expect(value.value(forKey: "o") == .object(["k": 2]))
        #expect(value.value(forKey: "none") == nil)
        #expect(LLMJSONValue.null.value(forKey: "n") == nil)
    }

    @Test("JS-1: the order of keys is kept by parsing, literals and jsonString")
    func order() throws {
        let json = #"{"z":1,"a":{"y":2,"b":3},"m":[{"q":1,"c":2}]}"#
        #expect(try LLMJSONValue(jsonString: json).jsonString() == json)
        let literal: LLMJSONValue = ["z": 1, "a": ["y": 2, "b": 3], "m": [["q": 1, "c": 2]]]
        #expect(literal.jsonString() == json)
        #expect(literal.jsonString(sortedKeys: true) == #"{"a":{"b":3,"y":2},"m":[{"c":2,"q":1}],"z":1}"#)
        #expect(literal.objectValue?.keys == ["z", "a", "m"])
    }

    @Test(
        "JS-4: stringValue renders scalars",
        arguments: [
            ("x", "x"), (5, "5"), (5.0, "5.0"), (-0.5, "-0.5"), (true, "true"), (false, "false"), (nil, nil),
            ([], nil), ([:], nil), (.double(.nan), nil), (.double(.infinity), nil), (1e100, "1e+100"),
        ] as [(LLMJSONValue, String?)])
    func stringValue(value: LLMJSONValue, expected: String?) {
        #expect(value.stringValue == expected)
    }

    @Test(
        "JS-4: intValue takes whole doubles and strings in number syntax",
        arguments: [
            (5, 5), (5.0, 5), (5.5, nil), (1e18, 1_000_000_000_000_000_000), (1e19, nil), (.double(.nan), nil),
            (.double(-9223372036854775808), .min), (.double(9223372036854775808), nil), ("5", 5), ("-5", -5),
            ("5.0", 5), ("1e3", 1000), ("5.5", nil), (" 5", nil), ("5 ", nil), ("+5", nil), ("05", nil), ("", nil),
            ("0x10", nil), ("9223372036854775808", nil), ("1e400", nil), (true, nil), (nil, nil), ([5], nil),
        ] as [(LLMJSONValue, Int64?)])
    func intValue(value: LLMJSONValue, expected: Int64?) {
        #expect(value.intValue == expected)
    }

    @Test(
        "JS-4: doubleValue takes integers and strings in number syntax",
        arguments: [
            (5, 5), (5.25, 5.25), ("5.25", 5.25), ("5", 5), ("-1e2", -100), (".5", nil), ("5.", nil), ("nan", nil),
            ("inf", nil), ("Infinity", nil), ("1e400", nil), ("1_000", nil), ("५", nil), ("", nil), (true, nil),
            (nil, nil), ([:], nil),
        ] as [(LLMJSONValue, Double?)])
    func doubleValue(value: LLMJSONValue, expected: Double?) {
        #expect(value.doubleValue == expected)
    }

    @Test("JS-4: booleans, containers and shortcuts")
    func accessors() {
        #expect(LLMJSONValue.bool(true).boolValue == true)
        #expect(LLMJSONValue.string("true").boolValue == nil)
        #expect(LLMJSONValue.int(1).boolValue == nil)
        #expect(LLMJSONValue.array([1]).arrayValue == [1])
        #expect(LLMJSONValue.array([1]).objectValue == nil)
        let value: LLMJSONValue = ["s": 5, "d": "2.5", "a": [1], "n": nil]
        #expect(value.string(forKey: "s") == "5")
        #expect(value.double(forKey: "d") == 2.5)
        #expect(value.array(forKey: "a") == [1])
        #expect(value.string(forKey: "n") == nil)
        #expect(value.array(forKey: "none") == nil)
        #expect(LLMJSONValue.string("x").string(forKey: "s") == nil)
    }

    @Test("JS-5: through Foundation's coders values survive and order becomes sorted")
    func codable() throws {
        let value: LLMJSONValue = [
            "z": nil, "a": [true, false, 1, -2.5, "x", [], [:]], "m": ["q": .int(.max), "c": .int(.min)],
        ]
        let decoded = try JSONDecoder().decode(LLMJSONValue.self, from: JSONEncoder().encode(value))
        #expect(decoded == value)
        #expect(decoded.objectValue?.keys == ["a", "m", "z"])
        #expect(decoded.jsonString() == value.jsonString(sortedKeys: true))
    }

    @Test(
        "JS-5: kinds survive decoding",
        arguments: [
            ("1", 1), ("0", 0), ("true", true), ("false", false), ("1.5", 1.5), (#""1""#, "1"), ("null", nil),
            ("18446744073709551615", .double(18446744073709551616)), ("[[]]", [[]]), ("{\"a\":{}}", ["a": [:]]),
        ] as [(String, LLMJSONValue)])
    func decoding(json: String, expected: LLMJSONValue) throws {
        #expect(try JSONDecoder().decode([LLMJSONValue].self, from: Data("[\(json)]".utf8)) == [expected])
    }

    @Test("JS-3: other decoders are bounded too")
    func decodingDepth() throws {
        func propertyList(_ depth: Int) throws -> Data {
            let list = (1..<depth).reduce([Any]()) { list, _ in [list] }
            return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        }
        let decoder = PropertyListDecoder()
        #expect(try decoder.decode(LLMJSONValue.self, from: propertyList(4)) == [[[[]]]])
        let deep = try propertyList(600)
        #expect(throws: (any Error).self) { try decoder.decode(LLMJSONValue.self, from: deep) }
    }
}
