import CarbocationLocalLLM
import Testing

/// Tokens of an output; those that are control tokens stand in their own piece.
private struct TokenRun {
    var thinking = ""
    var final = ""
    var raw = ""
    var calls: [String] = []
    var stopReason: LLMStopReason?

    init(_ format: ReplyFormat, _ tokens: [String]) {
        var reader = ReplyReader(format)
        var accumulator = GenerationAccumulator()
        var outputs: [ReplyOutput] = []
        let announced = format.controlTokens.union(format.tokenMarkers)
        for token in tokens {
            outputs += reader.push(Array(token.utf8), marker: announced.contains(token) ? token : nil)
        }
        outputs += reader.finish()
        accumulator.append(outputs) { _ in }
        thinking = accumulator.text(of: .thinking)
        final = accumulator.text(of: .final)
        raw = accumulator.rawText
        calls = outputs.compactMap { output in
            if case .call(let call) = output { "\(call.name) \(call.arguments.jsonString())" } else { nil }
        }
        stopReason = reader.stopReason
    }
}

@Suite("Control tokens in a reply")
struct ControlTokenTests {
    private static let think = OutputDelimiterPair(open: "<think>", close: "</think>")
    private static let say = LLMToolDefinition(
        name: "say", description: "Says.", parameters: ["type": "object", "properties": ["text": ["type": "string"]]])

    private static func format(start: StartPhase = .unknown, stops: [String] = [], tools: Bool = true) -> ReplyFormat {
        let syntax = ToolCallSyntax(.hermes)
        return ReplyFormat(
            stops: stops, phases: .markers(OutputSanitizationProfile(thinkingPairs: [think]), start),
            answer: tools ? .tools(syntax, [say]) : .text, tokenMarkers: ["<think>", "</think>"],
            controlTokens: Set(syntax.markers).union(["<think>", "</think>", "<|call|>"]))
    }

    @Test(
        "TF-4: a marker that is a control token never shows outside of a call",
        arguments: ["</tool_call>", "<|call|>", "</think>", "<think>", "</function>"])
    func stray(token: String) {
        for stops in [[], ["\(token)ZZ"], [">>", "<<"]] {
            let run = TokenRun(Self.format(stops: stops), ["Hello", " ", token, "there", " friend", token])
            #expect(run.final == "Hello there friend")
            #expect(run.raw == "Hello \(token)there friend\(token)")
            #expect(run.calls.isEmpty && run.stopReason == nil)
            let thinking = TokenRun(Self.format(stops: stops), ["<think>", "a ", "<|call|>", "b", "</think>", "c"])
            #expect(thinking.thinking == "a b" && thinking.final == "c")
        }
        let plain = TokenRun(Self.format(tools: false), ["Hello", " ", token, "there"])
        #expect(plain.final == "Hello there")
    }

    @Test(
        "TH-4: text that only looks like a marker stays, whatever its tokens",
        arguments: ["stray </think> final", "a </tool_call> b", "x <|call|>"])
    func text(output: String) {
        #expect(TokenRun(Self.format(), [output]).final == output)
        #expect(TokenRun(Self.format(), output.map(String.init)).final == output)
    }

    @Test("TF-4: control tokens around calls make calls, and belong to the arguments within them")
    func calls() {
        let first = [#"{"name":"say","arguments":{"text":"a"#, "</think>", #"b"}}"#]
        let tokens = ["Now. ", "<tool_call>"] + first + ["</tool_call>", "\n", "<tool_call>"]
        let run = TokenRun(
            Self.format(), tokens + [#"{"name":"say","arguments":{"text":"c"}}"#, "</tool_call>", "</tool_call>"])
        #expect(run.final == "Now. ")
        #expect(run.calls == [#"say {"text":"a</think>b"}"#, #"say {"text":"c"}"#])
        #expect(run.stopReason == .toolCallComplete)
        let inThinking = TokenRun(
            Self.format(), ["<think>", "Hm.\n", "<tool_call>", #"{"name":"say","arguments":{}}"#, "</tool_call>"])
        #expect(inThinking.thinking == "Hm." && inThinking.calls == ["say {}"])
    }

    @Test("Harmony: markers that mean nothing where they stand do not show either")
    func harmony() {
        let markers = ["<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", "<|end|>", "<|call|>", "<|return|>"]
        let format = ReplyFormat(
            phases: .harmony(promptTail: "<|start|>assistant", startsInThinking: nil),
            answer: .tools(ToolCallSyntax(.harmony), [Self.say]), tokenMarkers: Set(markers),
            controlTokens: Set(markers))
        let run = TokenRun(
            format,
            [
                "<|channel|>", "final", "<|message|>", "one ", "<|message|>", "two ", "<|constrain|>", "three",
                "<|call|>",
            ])
        #expect(run.final == "one two three")
        #expect(run.calls.isEmpty)
        let quoted = TokenRun(format, ["<|channel|>", "final", "<|message|>", "The ", "<|mess", "age|>", " marker"])
        #expect(quoted.final == "The <|message|> marker")
        let call = ["<|channel|>", "commentary to=functions.say", "<|message|>", #"{"text":"a"#, "<|message|>", "b\"}"]
        #expect(TokenRun(format, call + ["<|call|>"]).calls == [#"say {"text":"a<|message|>b"}"#])
    }
}
