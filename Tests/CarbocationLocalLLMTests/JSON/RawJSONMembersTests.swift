import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("RawJSONMembers")
struct RawJSONMembersTests {
    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    @Test(
        "values come back byte for byte",
        arguments: [
            "1", "1.0", "18446744073709551615", "1e400", "-0", "null", "nope", #""a\"},{\\""#, "[1, {\"b\" : [ ]}]",
            #"{"c": "]", "d": {}}"#, "[[[[[]]]]]", "\"\u{e9}\"", "true false",
        ])
    func values(value: String) throws {
        for (before, after) in [("{\"a\":", "}"), (" { \"x\" : 1 ,\n\"a\"\t: ", "\r\n, \"y\":2 } ")] {
            var members = try #require(RawJSONMembers(Data((before + value + after).utf8)))
            #expect(members.value(named: "a").map(text) == value)
            members.set(Data("7".utf8), named: "new \"name\"")
            let again = try #require(RawJSONMembers(members.data))
            #expect(again.value(named: "a").map(text) == value)
            #expect(again.value(named: "new \"name\"").map(text) == "7")
        }
    }

    @Test("names are read with their escapes and kept as written")
    func names() throws {
        let members = try #require(RawJSONMembers(Data(#"{"\u0061":1,"b":2}"#.utf8)))
        #expect(members.value(named: "a").map(text) == "1")
        #expect(text(members.data) == #"{"\u0061":1,"b":2}"#)
    }

    @Test("a value replaces all of its name")
    func replacing() throws {
        var members = try #require(RawJSONMembers(Data(#"{"a":1,"b":2,"a":3}"#.utf8)))
        #expect(members.value(named: "a").map(text) == "3")
        members.set(Data("4".utf8), named: "a")
        #expect(text(members.data) == #"{"b":2,"a":4}"#)
    }

    @Test("an empty object")
    func empty() {
        #expect(text(RawJSONMembers().data) == "{}")
        #expect(RawJSONMembers(Data(" { } ".utf8)).map { text($0.data) } == "{}")
    }

    @Test(
        "what is no object is refused",
        arguments: [
            "", " ", "{", "}", "[]", "null", "1", "{}x", "{}{}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}",
            "{\"a\":1", "{\"a\":[1}", "{\"a\":\"x}", "{\"a\":1]}", "{\"a\\", "{\"\\q\":1}", "{\"a\":1 \"b\":2",
            "{\"a\":,\"b\":1}",
        ])
    func refused(text: String) {
        #expect(RawJSONMembers(Data(text.utf8)) == nil)
    }

    @Test("any bytes are taken apart and come together, or are refused", arguments: 0..<4 as Range<UInt64>)
    func anyBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("{}[]:,\"\\a1 \n".utf8)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<14, using: &random)
            var bytes = Data((0..<count).compactMap { _ in alphabet.randomElement(using: &random) })
            if Bool.random(using: &random) { bytes = Data("{\"a\":".utf8) + bytes + Data("}".utf8) }
            guard let members = RawJSONMembers(bytes) else {
                #expect((try? LLMJSONValue(jsonData: bytes))?.objectValue == nil)
                continue
            }
            #expect(RawJSONMembers(members.data)?.data == members.data)
            if let value = try? LLMJSONValue(jsonData: bytes) {
                #expect((try? LLMJSONValue(jsonData: members.data)) == value)
            }
        }
    }
}
