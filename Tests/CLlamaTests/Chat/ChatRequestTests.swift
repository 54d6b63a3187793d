import CLlama
import Testing

@Suite("The request of a rendering", .needsChatRuntime)
struct ChatRequestTests {
    private let chat: TestChat

    init() throws { chat = try TestChat("{{ messages | length }}") }

    @Test(
        "a malformed request names the member, and quotes nothing of it",
        arguments: [
            ("", "The request is not valid JSON."),
            ("{", "The request is not valid JSON."),
            (#"{"messages":[]} x"#, "The request is not valid JSON."),
            ("[]", "The request is not an object."),
            ("{}", "messages is missing."),
            (#"{"messages":{}}"#, "messages is not an array."),
            (#"{"messages":["secret"]}"#, "messages[0] is not an object."),
            (#"{"messages":[{"content":"secret"}]}"#, "messages[0].role is missing."),
            (#"{"messages":[{"role":1}]}"#, "messages[0].role is not a string."),
            (#"{"messages":[{"role":"user","content":1}]}"#, "messages[0].content is neither a string nor an array."),
            (#"{"messages":[{"role":"user","content":[1]}]}"#, "messages[0].content[0] is not an object."),
            (
                #"{"messages":[{"role":"user","content":[{"type":"image_url","text":"secret"}]}]}"#,
                "messages[0].content[0] is not a text part."
            ),
            (#"{"messages":[{"role":"user","content":"secret","name":1}]}"#, "messages[0].name is not a string."),
            (#"{"messages":[{"role":"assistant","tool_calls":{}}]}"#, "messages[0].tool_calls is not an array."),
            (
                #"{"messages":[{"role":"assistant","tool_calls":[{}]}]}"#,
                "messages[0].tool_calls[0].function is missing."
            ),
            (
                #"{"messages":[{"role":"assistant","tool_calls":[{"function":{}}]}]}"#,
                "messages[0].tool_calls[0].function.name is missing."
            ),
            (#"{"messages":[],"tools":1}"#, "tools is not an array."),
            (#"{"messages":[],"tools":[{"type":"function"}]}"#, "tools[0].function is missing."),
            (
                #"{"messages":[],"tools":[{"type":"web","function":{"name":"x"}}]}"#,
                #"tools[0].type is not "function"."#
            ),
            (
                #"{"messages":[],"tools":[{"function":{"name":"x","parameters":[]}}]}"#,
                "tools[0].function.parameters is not an object."
            ),
            (#"{"messages":[],"tool_choice":"maybe"}"#, #"tool_choice is none of "auto", "none" and "required"."#),
            (#"{"messages":[],"enable_thinking":1}"#, "enable_thinking is not a boolean."),
            (#"{"messages":[],"kwargs":[]}"#, "kwargs is not an object."),
            (#"{"messages":[],"kwargs":{"tools":[]}}"#, "kwargs.tools is not a further variable."),
            (#"{"messages":[],"kwargs":{"bos_token":"x"}}"#, "kwargs.bos_token is not a further variable."),
        ])
    func malformed(request: String, message: String) {
        let failure = #expect(throws: ChatFailure.self) { try chat.render(json: request) }
        #expect(failure == ChatFailure(status: CL_INVALID_ARGUMENT, message: message))
    }

    @Test(
        "absent and null members mean the same",
        arguments: [
            #"{"messages":[{"role":"user"}]}"#,
            #"{"messages":[{"role":"user","content":null}],"tools":null,"kwargs":null,"tool_choice":null}"#,
            #"{"messages":[{"role":"assistant","tool_calls":null,"reasoning_content":null,"name":null}],"tools":[]}"#,
            #"{"messages":[{"role":"user","content":"x","unknown":{"a":1}}],"unknown":true}"#,
        ])
    func lenient(request: String) throws {
        #expect(try chat.render(json: request).prompt == "1")
    }

    @Test("SC-7: depth is bounded", arguments: [(511, true), (513, false), (1_000_000, false)])
    func depth(levels: Int, isAllowed: Bool) throws {
        let value = String(repeating: "[", count: levels - 2) + String(repeating: "]", count: levels - 2)
        let request = #"{"messages":[],"kwargs":{"v":\#(value)}}"#
        if isAllowed {
            #expect(try chat.render(json: request).prompt == "0")
        } else {
            let failure = #expect(throws: ChatFailure.self) { try chat.render(json: request) }
            #expect(failure?.message == "The request nests deeper than 512 levels.")
        }
    }

    @Test("SC-7: brackets in strings do not count as depth")
    func depthInStrings() throws {
        let text = String(repeating: #"[{\""#, count: 2000)
        #expect(try chat.render(json: #"{"messages":[{"role":"user","content":"\#(text)"}]}"#).prompt == "1")
    }

    @Test("SC-7: the number of keys is bounded")
    func keys() {
        let members = (0..<3000).map { #""k\#($0)":1"# }.joined(separator: ",")
        let failure = #expect(throws: ChatFailure.self) {
            try chat.render(json: #"{"messages":[],"kwargs":{\#(members)}}"#)
        }
        #expect(failure?.message == "An object of the request has more than 2048 keys.")
    }

    @Test("integers stay integers and other numbers stay what they are")
    func numbers() throws {
        let chat = try TestChat("{{ v | tojson }}")
        let values = "[1, -9223372036854775808, 9223372036854775807, 1.5, true, null]"
        #expect(try chat.render(TestConversation(.user("x"), variables: #"{"v":\#(values)}"#)).prompt == values)
    }

    @Test("a tool needs only a name")
    func minimalTool() throws {
        let chat = try TestChat("{{ tools | tojson }}")
        let conversation = TestConversation(.user("x"), tools: [#"{"function":{"name":"f","strict":true}}"#])
        #expect(
            try chat.render(conversation).prompt
                == #"[{"type": "function", "function": {"name": "f", "description": "", "parameters": "#
                + #"{"type": "object", "properties": {}}, "strict": true}}]"#
        )
    }
}
