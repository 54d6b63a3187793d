import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("The call that an output is in")
struct OpenCallTests {
    private static let add = LLMToolDefinition(
        name: "add", description: "Adds.", parameters: ["type": "object", "properties": ["a": ["type": "integer"]]])

    private static func open(_ text: String, _ syntax: ToolCallSyntax, stops: [String] = []) -> [OpenCall?] {
        let isHarmony = syntax.family == .harmony
        let phases: ReplyFormat.Phases =
            isHarmony
            ? .harmony(promptTail: "<|start|>assistant", startsInThinking: nil)
            : .markers(OutputSanitizationProfile(thinkingPairs: [.init(open: "<think>", close: "</think>")]), .unknown)
        let format = ReplyFormat(stops: stops, phases: phases, answer: .tools(syntax, [add]))
        return text.byteChunkings().map { chunks in
            var reader = ReplyReader(format)
            for chunk in chunks { _ = reader.push(chunk) }
            #expect((reader.openCallPlace == nil) == (reader.openCall == nil))
            return reader.openCall
        }
    }

    @Test(
        "what came of it is known, however the output is cut",
        arguments: [
            (ToolCallSyntax.Family.hermes, "Hm. <tool_call>\n{\"na", "<tool_call>", "\n{\"na"),
            (.hermes, "<think>a</think>\n<tool_call>", "<tool_call>", ""),
            (.plain, #"Sure: {"tool_calls":[{"#, "", #"{"tool_calls":[{"#),
            (.plain, "```json\n{ \"tool_calls\" : [", "```json\n", "{ \"tool_calls\" : ["),
            (.plain, #"{"name":"add","#, "", #"{"name":"add","#),
            (.deepSeek, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>", "add"),
            (.kimi, "<|tool_calls_section_begin|>", "<|tool_calls_section_begin|>", ""),
            (.functionary32, "add\n{\"a", "", "add\n{\"a"), (.functionary32, "all\nHm.\n>>>add\n{", ">>>", "add\n{"),
            (.muse, "<atem:function_calls>\n<atem:inv", "<atem:function_calls>", "\n<atem:inv"),
        ])
    func calls(family: ToolCallSyntax.Family, text: String, lead: String, body: String) {
        for call in Self.open(text, ToolCallSyntax(family)) {
            #expect(call.map { $0.lead + $0.body } == lead + body)
        }
        // What may become a stop is part of it too, once there is a call without that.
        for call in Self.open(text, ToolCallSyntax(family), stops: ["\n<atem:invzz", "{\"nazz", "[{zz"]) {
            guard let call else { continue }
            #expect(call.lead + call.body == lead + body)
        }
        #expect(Self.open(text, ToolCallSyntax(family)).first??.body == body)
    }

    @Test(
        "there is none in text, in thinking, behind a call, or where only a name may follow",
        arguments: [
            (ToolCallSyntax.Family.hermes, "Hm. <tool_"), (.hermes, "`<tool_call>` is a tag"),
            (.hermes, "<think>a <tool_call>{"), (.hermes, "<tool_call>{\"name\":\"add\"}</tool_call>"),
            (.plain, #"{"name":"#), (.plain, #"{"answer": 4"#), (.functionary32, "add"),
            (.functionary32, "all\nHm.\n>>>add"),
        ])
    func none(family: ToolCallSyntax.Family, text: String) {
        for call in Self.open(text, ToolCallSyntax(family)) { #expect(call == nil, "\(text)") }
    }

    @Test(
        "Harmony: it is one from its body on",
        arguments: [
            "<|channel|>commentary to=functions.add <|constrain|>json<|message|>{\"a",
            " to=functions.add<|channel|>commentary<|message|>{\"a",
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=functions.add<|channel|>analysis<|message|>"
                + "{\"a",
        ])
    func harmony(text: String) {
        for call in Self.open(text, ToolCallSyntax(.harmony)) {
            #expect(call?.recipient == "functions.add")
            #expect(call?.body == "{\"a")
        }
        for call in Self.open("<|channel|>commentary to=functions.add", ToolCallSyntax(.harmony)) {
            #expect(call == nil)
        }
    }

    @Test("places tell calls apart")
    func places() {
        var reader = ReplyReader(ReplyFormat(answer: .tools(ToolCallSyntax(.hermes), [Self.add])))
        var places: Set<Int> = []
        for byte in "<tool_call>{\"name\":\"add\"}</tool_call>\n<tool_call>{\"name\":\"add\"}".utf8 {
            _ = reader.push([byte])
            if let place = reader.openCallPlace { places.insert(place) }
        }
        #expect(places.count == 2)
    }
}
