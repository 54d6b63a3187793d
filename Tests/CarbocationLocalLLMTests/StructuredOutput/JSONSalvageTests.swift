import CarbocationLocalLLM
import Testing

@Suite("JSONSalvage", .timeLimit(.minutes(10)))
struct JSONSalvageTests {
    struct Item: Codable, Equatable {
        var title: String
        var note: String?
    }

    private static let profile = OutputSanitizationProfile(
        thinkingPairs: [OutputDelimiterPair(open: "<think>", close: "</think>")])

    @Test(
        "JS-7: the value is found in whatever is around it",
        arguments: [
            "{\"title\":\"x\"}", "Sure!\n{\"title\":\"x\"}\nAnything else?", "```json\n{\"title\":\"x\"}\n```",
            "```\n{\"title\":\"x\"}\n```\nbye", "Here:\n\n```json\n{\"title\":\"x\"}",
            "Here: ```json\n{\"title\":\"x\"}```",
            "```json {\"title\":\"x\"}```", "~~~json\n{\"title\":\"x\"}\n~~~",
            "```json\r\n{\"title\":\"x\"}\r\n```\r\n",
            "use {{ x }} then\n```json\n{\"title\":\"x\"}\n```\nbye", "use {{ x }} then\n```json\n{\"title\":\"x\"}",
            "Items [see below]: {\"title\":\"x\"} (see [1])", "see [1]: {\"title\":\"x\"}",
            "````\n```\n{\"title\":\"x\"}\n```\n````", "  ```json\n  {\"title\":\"x\"}\n  ```",
            "```swift\nfunc f() { g() }\n```\nso {\"title\":\"x\"}", "{\"title\":\u{1}\"x\"\u{0}}",
            "The first:\n```json\n{\"title\":\"a\"}\n```\nbetter:\n```json\n{\"title\":\"x\"}\n```",
            "```json\n{\"title\":\"a\"}\n```json\n{\"title\":\"x\"}\n```",
            "```json {\"title\":\"a\"}``` or\n```\n{\"title\":\"x\"}\n```",
            "```\n[1,2]\n```\n{\"title\":\"x\"}",
        ])
    func surroundings(response: String) throws {
        #expect(try JSONSalvage.decode(Item.self, from: response) == Item(title: "x"))
    }

    @Test("JS-7: thinking is dropped by the profile")
    func thinking() throws {
        let response = "<think>perhaps {\"title\":\"draft\"}</think>\n```json\n{\"title\":\"x\"}\n```\nDone {ok}."
        #expect(try JSONSalvage.decode(Item.self, from: response, using: Self.profile) == Item(title: "x"))
        let bare = "<think>perhaps {\"title\":\"draft\"}</think>{\"title\":\"x\"}"
        #expect(try JSONSalvage.decode(Item.self, from: bare, using: Self.profile) == Item(title: "x"))
        #expect(try JSONSalvage.decode(Item.self, from: bare) == Item(title: "draft"))
    }

    @Test(
        "JS-7: raw line breaks and tabs in strings are kept, other control characters are dropped",
        arguments: [
            ("{\"title\":\"a\nb\"}", "a\nb"), ("{\"title\":\"a\r\nb\tc\"}", "a\r\nb\tc"),
            ("{\n\t\"title\":\"a\"\n}", "a"),
            ("{\"title\":\"a\u{0}\u{1B}b\"}", "ab"), ("{\"title\":\"a\\\"\n\\\\\"}", "a\"\n\\"),
            ("```json\n{\"title\":\"see:\n\n\ta [1]\n\"}\n```", "see:\n\n\ta [1]\n"),
            ("{\"title\":\"\\ud800\"}", "\u{FFFD}"),
        ])
    func controlCharacters(response: String, title: String) throws {
        #expect(try JSONSalvage.decode(Item.self, from: response) == Item(title: title))
    }

    @Test(
        "JS-7: where the first value does not fit, the other objects are tried from the end",
        arguments: [
            "{\"result\":{\"title\":\"x\"}}", "{\"name\":1} {\"title\":\"a\"} {\"title\":\"x\"}", "[{\"title\":\"x\"}]",
            "{\"title\":1,\"items\":[{\"title\":\"a\"},{\"title\":\"x\",\"note\":null}]}",
            "see [[1]] {\"title\":\"x\"}",
        ])
    func smallerObjects(response: String) throws {
        #expect(try JSONSalvage.decode(Item.self, from: response) == Item(title: "x"))
    }

    @Test("JS-7: lists decode too")
    func lists() throws {
        #expect(try JSONSalvage.decode([Int].self, from: "see [1,2]") == [1, 2])
        #expect(try JSONSalvage.decode([Item].self, from: "```json\n[{\"title\":\"x\"}]\n```") == [Item(title: "x")])
    }

    @Test("JS-7: an empty response says so", arguments: ["", " \n", "<think>{\"title\":\"x\"}</think>"])
    func empty(response: String) {
        let error = #expect(throws: JSONSalvage.Failure.self) {
            _ = try JSONSalvage.decode(Item.self, from: response, using: Self.profile)
        }
        guard case .decodingFailed(let message) = error else { return }
        #expect(message.hasPrefix("Response was empty"))
    }

    @Test(
        "JS-7, J05, J07: what is cut off or broken fails",
        arguments: [
            "{\"title\":\"x", "{\"title\":\"x\",\"note\":{\"title\":\"y\"}", "[{\"title\":\"x\"},", "no JSON at all",
            "```json\n{\"title\":\"x\",\"more\":[{\"title\":\"y\"}]", "{\"title\":\"x\",}", "{'title':'x'}",
            "{\"note\":\"x\"}",
            "For example\n```json\n{\"title\":\"a\"}\n```\nNow:\n```json\n{\"title\":\"x\", \"note\":",
        ])
    func failures(response: String) {
        let error = #expect(throws: JSONSalvage.Failure.self) {
            _ = try JSONSalvage.decode(Item.self, from: response)
        }
        guard case .decodingFailed(let message) = error else { return }
        #expect(!message.hasPrefix("Response was empty"))
    }

    @Test("JS-7: the failure says what is wrong with the first value")
    func message() {
        #expect(throws: JSONSalvage.Failure.decodingFailed("no key title, in: {\"note\":{}}")) {
            _ = try JSONSalvage.decode(Item.self, from: "{\"note\":{}}")
        }
    }

    @Test(
        "JS-7: unwrapping gives the part with the JSON",
        arguments: [
            ("<think>x</think>\n```json\n{\"a\":1}\n```\nbye", "{\"a\":1}"), ("  {\"a\":1}\n", "{\"a\":1}"),
            ("Sure: {\"a\":1}", "Sure: {\"a\":1}"), ("```\n{}\n```\n```json\n{\"a\":1}", "{\"a\":1}"), ("", ""),
            (" \n", ""),
            ("```sh\nls\n```", "```sh\nls\n```"), ("<think>x</think>plain", "plain"),
        ])
    func unwrapping(response: String, expected: String) {
        #expect(JSONSalvage.unwrapResponse(response, using: Self.profile) == expected)
    }

    @Test(
        "JS-7: hostile responses take linear time",
        arguments: ["```", "```{\n", "```json\n{\"a\":\n", "[", "{\"a\":[", "~~~ ", "```a ```", "` ` ", "{\"b\":1} "])
    func linear(unit: String) {
        let response = String(repeating: unit, count: 100_000 / unit.utf8.count)
        #expect(throws: JSONSalvage.Failure.self) { _ = try JSONSalvage.decode(Item.self, from: response) }
    }
}
