import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("AddressedReader: streaming")
struct AddressedReaderStreamingTests {
    private static let say = LLMToolDefinition(
        name: "say", description: "Says.", parameters: ["type": "object", "properties": ["text": ["type": "string"]]])
    private static let markers = ["<|start|>", "<|message|>", "<|eom|>", "<|eot|>", "<atem:function_calls>"]

    private static func call(_ text: String) -> String {
        "<atem:function_calls>\n<atem:invoke name=\"say\">\n<atem:parameter name=\"text\">\(text)</atem:parameter>\n"
            + "</atem:invoke>\n</atem:function_calls>"
    }

    private static func format(tools: Bool = true, tokens: Set<String> = []) -> ReplyFormat {
        let phases = ReplyFormat.Phases.addressed(promptTail: "<|start|>assistant", startsInThinking: nil)
        return ReplyFormat(
            stops: phases.endMarkers(found: []), phases: phases,
            answer: tools ? .tools(ToolCallSyntax(.muse), [say]) : .text,
            tokenMarkers: tokens.intersection(AddressedReader.markers), controlTokens: tokens)
    }

    @Test("SM-6, EV-8: text comes as soon as it is certain, headers never do")
    func holding() {
        var reader = AddressedReader(promptTail: "<|start|>assistant")
        let pieces = [
            " to", "=self", "<|message|>", "\n", "a <", "b ", "<|eom|>", "<|start|>", "assistant", " to=user",
            "<|message|>", "yes", "\n",
        ]
        let expected: [[PhaseOutput]] = [
            [], [], [.entered(.thinking)], [], [.text("a")], [.text(" <b")], [.segmentEnd, .entered(.unknown)], [], [],
            [], [.entered(.final)], [.text("yes")], [.text("\n")],
        ]
        #expect(pieces.map { reader.push($0) } == expected)
        #expect(reader.finish() == [])
        var bare = AddressedReader()
        #expect(bare.push("{") == [.entered(.final), .text("{")])
    }

    @Test("SM-5: awaited markers are no stops")
    func awaitedMarkers() {
        var reader = AddressedReader()
        #expect(reader.awaitedMarkers.contains("<|message|>"))
        _ = reader.push(" to=self<|message|>a")
        #expect(reader.awaitedMarkers.contains("<|eom|>") && !reader.awaitedMarkers.contains("<|eot|>"))
        _ = reader.push("<|eom|> to=user<|message|>x")
        #expect(reader.awaitedMarkers == [])
    }

    @Test(
        "TL-1, TL-2: calls are found whatever tool the header names, however the output is cut",
        arguments: [
            (" to=say<|message|>" + call("a") + "<|eot|>", ["a"], "", ""),
            (
                " to=self<|message|>Hm.<|eom|><|start|>assistant to=say<|message|>" + call("a")
                    + "<|eom|><|start|>assistant to=say<|message|>" + call("b") + "<|eot|>", ["a", "b"], "Hm.", ""
            ),
            (
                " to=user<|message|>Look.<|eom|><|start|>assistant to=say<|message|>" + call("a") + "<|eot|>", ["a"],
                "", "Look."
            ),
            (" to=say<|message|>{\"text\":\"a\"}<|eot|>", ["a"], "", ""),
            (call("a"), ["a"], "", ""),
        ])
    func calls(output: String, texts: [String], thinking: String, final: String) {
        for chunks in output.byteChunkings() {
            let run = ReplyRun(Self.format(), chunks)
            #expect(run.calls == texts && run.thinking == thinking && run.final == final)
        }
    }

    @Test("TL-2: without tools what is for one is text, without its header")
    func withoutTools() {
        for output in [" to=say<|message|>{\"text\":1}<|eot|>", " to=say<|message|><x><|eot|>", " to=say"] {
            for chunks in output.byteChunkings() {
                let final = ReplyRun(Self.format(tools: false), chunks).final
                #expect(final == (output.contains("{") ? "{\"text\":1}" : output.contains("<x>") ? "<x>" : ""))
            }
        }
    }

    @Test(
        "a call that is cut off is reported",
        arguments: [" to=say", " to=say<|message|>", " to=say<|message|>{\"text\":\"a", "{}"])
    func cutOff(output: String) {
        let run = ReplyRun(Self.format(), [Array(output.utf8)])
        #expect(run.calls == [] && run.incomplete == (output == "{}" ? nil : output))
    }

    @Test("K04, TH-2: spelled-out markers are text when markers are tokens, and control tokens do not show")
    func tokens() {
        let tokens = Set(Self.markers)
        func run(_ pieces: [String]) -> ReplyRun {
            ReplyRun(Self.format(tokens: tokens), pieces.map { Array($0.utf8) }, tokens: tokens)
        }
        let quoted = run([
            " to=self", "<|message|>", "the <|", "eom|> and <|start", "|>assistant tokens", "<|eom|>", "<|start|>",
            "assistant", " to=user", "<|message|>", "one ", "<|message|>", "two <|mess", "age|>",
        ])
        #expect(quoted.thinking == "the <|eom|> and <|start|>assistant tokens")
        #expect(quoted.final == "one two <|message|>")
        let marker = "<atem:function_calls>"
        let rest = String(Self.call("a").dropFirst(marker.count))
        #expect(run([" to=say", "<|message|>", marker, rest]).calls == ["a"])
        #expect(run([marker, rest]).calls == ["a"])
        #expect(run([" to=user", "<|message|>", "x", marker, " y"]).final == "x y")
    }

    @Test(
        "S11, SM-6: the work grows with the length, not with its square",
        arguments: [
            " to=f<|message|>{\"t\":\"" + String(repeating: "x", count: 40_000) + "\"}",
            " to=f<|message|>" + String(repeating: " \n", count: 10_000),
            " to=self<|message|>" + String(repeating: "<|eom", count: 4_000),
            " to=self<|message|>" + String(repeating: " \n", count: 10_000),
            " to=" + String(repeating: "x", count: 20_000),
            "<|start|>" + String(repeating: "to=x ", count: 4_000),
            String(repeating: "<|start|>assistant to=user<|message|>a<|eom|>", count: 500),
        ])
    func linearWork(text: String) {
        for pieces in [[text], text.map(String.init)] {
            var reader = AddressedReader()
            for piece in pieces { _ = reader.push(piece) }
            _ = reader.finish()
            #expect(reader.steps <= 5 * (text.utf8.count + 100))
        }
    }
}

/// What a reader made of an output; of the calls of one tool with a text.
private struct ReplyRun {
    var thinking = ""
    var final = ""
    var calls: [String] = []
    var incomplete: String?

    init(_ format: ReplyFormat, _ chunks: [[UInt8]], tokens: Set<String> = []) {
        var reader = ReplyReader(format)
        var outputs: [ReplyOutput] = []
        for chunk in chunks {
            let text = String(decoding: chunk, as: UTF8.self)
            outputs += reader.push(chunk, marker: tokens.contains(text) ? text : nil)
        }
        outputs += reader.finish()
        for output in outputs {
            switch output {
            case .content(let text, .thinking): thinking += text
            case .content(let text, _): final += text
            case .call(let call): calls.append(call.arguments.value(forKey: "text")?.stringValue ?? "?")
            case .rejected(let call): calls.append("rejected: \(call.message)")
            case .raw, .entered, .replaced, .segmentEnd, .answerBegan: break
            }
        }
        incomplete = reader.incompleteCall
    }
}
