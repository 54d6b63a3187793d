import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMJSONValue, parsing")
struct JSONParserTests {
    @Test(
        "JS-1, JS-3: valid documents",
        arguments: [
            ("null", nil), ("true", true), ("false", false), (" \t\r\n1\n", 1), ("\"\"", ""), ("[]", []), ("{}", [:]),
            ("[1, [2, {}], []]", [1, [2, [:]], []]),
            (#"{"a":{"b":[true,null]},"c":"d"}"#, ["a": ["b": [true, nil]], "c": "d"]),
            ("[ ]", []), ("{ }", [:]), (#"{ "a" : 1 , "b" : 2 }"#, ["a": 1, "b": 2]),
        ] as [(String, LLMJSONValue)])
    func documents(json: String, expected: LLMJSONValue) throws {
        #expect(try LLMJSONValue(jsonString: json) == expected)
        #expect(try LLMJSONValue(jsonData: Data(json.utf8)) == expected)
    }

    @Test(
        "JS-1: integers stay integers, everything else is a double",
        arguments: [
            ("0", .int(0)), ("-0", .int(0)), ("1", .int(1)), ("-12", .int(-12)),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9223372036854775808)),
            ("-9223372036854775809", .double(-9223372036854775808)),
            ("123456789012345678901234567890", .double(1.2345678901234568e29)),
            ("1.0", .double(1)), ("-0.0", .double(-0.0)), ("0.5", .double(0.5)), ("1e2", .double(100)),
            ("1E+2", .double(100)), ("25e-1", .double(2.5)), ("0e0", .double(0)), ("1e-400", .double(0)),
            ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("5e-324", .double(.leastNonzeroMagnitude)),
        ] as [(String, LLMJSONValue)])
    func numbers(json: String, expected: LLMJSONValue) throws {
        let value = try LLMJSONValue(jsonString: json)
        #expect(value == expected)
        if case .double(let number) = expected { #expect(value.doubleValue?.sign == number.sign) }
    }

    @Test(
        "JS-3: strings and their escapes",
        arguments: [
            (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""é😀""#, "é😀"), (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00x""#, "😀x"), (#""\u0000""#, "\0"),
            (#""\ud83d""#, "\u{FFFD}"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\ude00 \ud83d""#, "😀 \u{FFFD}"),
            (#""\ud83dx""#, "\u{FFFD}x"), (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
            (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\udbff\udfff""#, "\u{10FFFF}"), ("\"\u{7F}\"", "\u{7F}"),
        ])
    func strings(json: String, expected: String) throws {
        #expect(try LLMJSONValue(jsonString: json) == .string(expected))
    }

    @Test(
        "JS-3: what is no JSON",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "00", "1.", ".5", "1e", "1e+",
            "1.e1", "0x1", "1 2", "[1,]", "[,1]", "[1 2]", "[", "]", "[1", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
            "{a:1}", "{'a':1}", "{1:2}", "{\"a\":1 \"b\":2}", "{,}", "[1}", "{\"a\":1]", "\"", "\"a", "\"\n\"",
            "\"\t\"", "\"\u{0}\"", #""\x""#, #""\u12""#, #""\u12G4""#, #""\ud83d\u12""#, "\"\\", "\"\\u",
            "// c\n1", "/*c*/1", "1//", "\u{FEFF}1", "[1]]", "tru", "t", "\u{A0}1", "1e400", "-1e400",
        ])
    func invalid(json: String) {
        #expect(throws: DecodingError.self) { try LLMJSONValue(jsonString: json) }
    }

    @Test("JS-3: the error says what is wrong, and where")
    func errorDescription() {
        let error = #expect(throws: DecodingError.self) { try LLMJSONValue(jsonString: #"{"a":1,}"#) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error)) is no dataCorrupted")
            return
        }
        #expect(
            context.debugDescription
                == "Invalid JSON at byte 7: an unexpected character instead of a key in quotes.")
    }

    @Test(
        "JS-3: bytes that are no UTF-8",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0xBD, 0x22], [0xEF, 0xBB, 0xBF, 0x31],
        ])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: DecodingError.self) { try LLMJSONValue(jsonData: Data(bytes)) }
    }

    @Test("JS-3: nesting of 512 is read, more is an error", arguments: ["[]", "{}", "1"])
    func depth(innermost: String) throws {
        func nested(_ depth: Int) -> String {
            let arrays = innermost == "1" ? depth : depth - 1
            return String(repeating: "[", count: arrays) + innermost + String(repeating: "]", count: arrays)
        }
        let value = try LLMJSONValue(jsonString: nested(512))
        #expect(value.jsonString() == nested(512))
        #expect(throws: DecodingError.self) { try LLMJSONValue(jsonString: nested(513)) }
    }

    @Test("JS-3, SC-7: hostile nesting ends at once", .timeLimit(.minutes(10)))
    func hostileNesting() {
        #expect(throws: DecodingError.self) {
            try LLMJSONValue(jsonString: String(repeating: "[", count: 1_000_000))
        }
        #expect(throws: DecodingError.self) {
            try LLMJSONValue(jsonString: String(repeating: "{\"a\":", count: 200_000))
        }
    }

    @Test("SC-7: long documents take linear time", .timeLimit(.minutes(10)))
    func longDocuments() throws {
        let count = 100_000
        let array = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
        #expect(try LLMJSONValue(jsonString: array).arrayValue?.count == count)
        let members = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try LLMJSONValue(jsonString: "{\(members)}").objectValue?.keys.count == count)
        let text = String(repeating: "\\n", count: count)
        #expect(try LLMJSONValue(jsonString: "\"\(text)\"").stringValue?.utf8.count == count)
    }

    @Test("SC-7: no prefix of a document is taken for one, and no byte traps")
    func mutations() throws {
        let json = Array(#"{"a":[1,-2.5e3,true,null,"é\ud83d\ude00\n"],"b":{"c":{}}}"#.utf8)
        for length in json.indices {
            #expect(throws: DecodingError.self) { try LLMJSONValue(jsonData: Data(json[..<length])) }
        }
        for index in json.indices {
            for byte: UInt8 in [0x00, 0x22, 0x2C, 0x30, 0x5B, 0x5C, 0x7D, 0x80, 0xC3, 0xFF] {
                var mutated = json
                mutated[index] = byte
                if let value = try? LLMJSONValue(jsonData: Data(mutated)) {
                    #expect(try LLMJSONValue(jsonString: value.jsonString()) == value)
                }
            }
        }
    }
}
