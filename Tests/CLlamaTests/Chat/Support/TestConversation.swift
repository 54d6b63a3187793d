import Foundation

/// A request to the chat layer, built piece by piece so that the order of keys is the written one.
struct TestConversation: Sendable {
    var messages: [String] = []
    var tools: [String] = []
    /// Further members of the request, for example `"enable_thinking":true`.
    var options: [String] = []

    init(_ messages: TestMessage..., tools: [String] = [], options: [String] = []) {
        self.messages = messages.map(\.json)
        self.tools = tools
        self.options = options
    }

    /// The variables that only some templates know.
    init(_ messages: TestMessage..., variables: String) {
        self.messages = messages.map(\.json)
        options = [#""kwargs":\#(variables)"#]
    }

    var json: String {
        let toolList = tools.isEmpty ? [] : [#""tools":[\#(tools.joined(separator: ","))]"#]
        let members = [#""messages":[\#(messages.joined(separator: ","))]"#] + toolList + options
        return "{\(members.joined(separator: ","))}"
    }

    static let weatherTool = #"""
        {"type":"function","function":{"name":"get_weather","description":"Weather <|tool-description|> of a city",\#
        "parameters":{"type":"object","properties":{\#
        "city":{"type":"string","description":"<|parameter-description|>"},\#
        "days":{"type":"integer"}},"required":["city"]}}}
        """#
}

/// One message of a request.
struct TestMessage: Sendable {
    var json: String

    init(json: String) { self.json = json }

    init(role: String, _ content: String, more: String = "") {
        json = #"{"role":\#(role.quoted),"content":\#(content.quoted)\#(more)}"#
    }

    static func user(_ text: String) -> Self { Self(role: "user", text) }
    static func system(_ text: String) -> Self { Self(role: "system", text) }

    static func assistant(_ text: String, thoughts: String? = nil) -> Self {
        Self(role: "assistant", text, more: thoughts.map { #","reasoning_content":\#($0.quoted)"# } ?? "")
    }

    /// An assistant turn that calls `get_weather`.
    static func call(id: String = "call00001", arguments: String) -> Self {
        Self(
            json: #"""
                {"role":"assistant","content":null,"tool_calls":[{"id":\#(id.quoted),"type":"function",\#
                "function":{"name":"get_weather","arguments":\#(arguments)}}]}
                """#)
    }

    static func result(id: String = "call00001", _ text: String) -> Self {
        Self(role: "tool", text, more: #","tool_call_id":\#(id.quoted),"name":"get_weather""#)
    }
}

extension String {
    /// The text as a JSON string.
    var quoted: String {
        // Encoding a string cannot fail.
        String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self)
    }
}
