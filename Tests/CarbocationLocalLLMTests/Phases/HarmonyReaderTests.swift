import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("HarmonyReader")
struct HarmonyReaderTests {
    /// One reading; messages are told as recipient and body.
    struct Case: Sendable, CustomTestStringConvertible {
        var output: String
        var tail = "<|end|><|start|>assistant"
        var thinking = ""
        var final = ""
        var messages: [[String]] = []
        var phase = LLMStreamContentPhase.final

        init(
            _ output: String, after tail: String = "<|end|><|start|>assistant", thinking: String = "",
            final: String = "", messages: [[String]] = [], phase: LLMStreamContentPhase = .final
        ) {
            self.output = output
            self.tail = tail
            self.thinking = thinking
            self.final = final
            self.messages = messages
            self.phase = phase
        }

        var testDescription: String { output.debugDescription }

        /// Reads the output in every way to cut it; `phase` is the one at the end.
        func check(_ reader: some PhaseReading, sourceLocation: SourceLocation) {
            let whole = PhaseTranscript.reading([output], with: reader)
            #expect(whole.thinking == thinking, sourceLocation: sourceLocation)
            #expect(whole.final == final, sourceLocation: sourceLocation)
            #expect(whole.unknown == "", sourceLocation: sourceLocation)
            #expect(whole.messages.map { [$0.recipient, $0.body] } == messages, sourceLocation: sourceLocation)
            #expect((whole.entered.last ?? .unknown) == phase, sourceLocation: sourceLocation)
            let wrong = output.pieces.first { PhaseTranscript.reading($0, with: reader) != whole }
            #expect(wrong == nil, sourceLocation: sourceLocation)
        }
    }

    private static func check(_ test: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        test.check(HarmonyReader(promptTail: test.tail), sourceLocation: sourceLocation)
    }

    @Test(
        "TH-1, TH-4: channels are phases",
        arguments: [
            Case("", phase: .unknown),
            Case("analysis", thinking: "analysis", phase: .thinking),
            Case("<|channel|>analysis", phase: .thinking),
            Case("<|channel|>analysis<|message|>I'm\nthinking", thinking: "I'm\nthinking", phase: .thinking),
            Case("<|channel|>analysis<|message|>a<|end|>", thinking: "a", phase: .unknown),
            Case(
                "<|channel|>analysis<|message|>a\n<|end|><|start|>assistant<|channel|>final<|message|>{\"ok\":true}",
                thinking: "a", final: "{\"ok\":true}"),
            Case("<|channel|>final<|message|>Hello, world!\nWhat's up?<|return|>", final: "Hello, world!\nWhat's up?"),
            Case("<|channel|>final<|message|>\n\n4\n", final: "4\n"),
            Case("<|channel|>final <|constrain|>json<|message|>{}<|return|>", final: "{}"),
            Case("<|channel|>commentary<|message|>Let me look.<|end|>", final: "Let me look."),
            Case(
                "<|channel|>commentary<|message|>Let me look.<|end|><|start|>assistant<|channel|>final<|message|>Done",
                final: "Let me look.\nDone"),
            Case(
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|>",
                thinking: "a\nb", phase: .unknown),
            Case("<|start|>assistant<|channel|>final<|message|>4", final: "4"),
            Case("<|start|>assistant<|message|>4", final: "4"),
            Case("<|channel|>mystery<|message|>4", final: "4"),
        ])
    func channels(test: Case) { Self.check(test) }

    @Test(
        "P27, P28: a message with a recipient, wherever the header has it, whatever else is in there",
        arguments: [
            Case(
                "<|start|>assistant to=functions.web-get<|channel|>commentary <|constrain|>json<|message|>"
                    + "{\"u\":\"x\"}<|call|>", messages: [["functions.web-get", "{\"u\":\"x\"}"]], phase: .unknown),
            Case(
                "<|channel|>commentary to=functions.web-get<|message|>{\"u\":\"x\"}",
                messages: [["functions.web-get", "{\"u\":\"x\"}"]], phase: .unknown),
            Case(
                " to=functions.web-get<|channel|>commentary <|constrain|>json<|message|>{\"u\":\"x\"}<|call|>",
                messages: [["functions.web-get", "{\"u\":\"x\"}"]], phase: .unknown),
            Case(
                " to=functions.f<|channel|>analysis<|message|>{}", messages: [["functions.f", "{}"]], phase: .unknown),
            Case(
                "<|channel|>commentary to=functions.f <|constrain|>write: stuff<|message|>{\"d\":{\"a\":{\"b\":1}}",
                messages: [["functions.f", "{\"d\":{\"a\":{\"b\":1}}"]], phase: .unknown),
            Case(
                "<|channel|>commentary odd words to=functions.f more analysis<|message|>{}<|call|>",
                messages: [["functions.f", "{}"]], phase: .unknown),
            Case(
                "<|channel|>commentary <|constrain|>json to=functions.f<|message|>{}<|call|>",
                messages: [["functions.f", "{}"]], phase: .unknown),
            Case(
                "<|channel|>commentary to=functions.f<|message|>{}<|end|>", messages: [["functions.f", "{}"]],
                phase: .unknown),
            Case(
                "<|channel|>commentary to=functions.f json<|message|>{}<|call|>", messages: [["functions.f", "{}"]],
                phase: .unknown),
            Case(
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant to=functions.f<|channel|>commentary"
                    + "<|message|>{}<|call|>", thinking: "a", messages: [["functions.f", "{}"]], phase: .unknown),
            Case(
                "<|channel|>commentary to=functions.f<|message|>{}<|call|><|start|>assistant<|channel|>commentary "
                    + "to=functions.g<|message|>{\"n\":2}<|call|>",
                messages: [["functions.f", "{}"], ["functions.g", "{\"n\":2}"]], phase: .unknown),
            // The next message begins without an end of this one.
            Case(
                "<|channel|>commentary to=functions.f<|message|>{}<|start|>assistant<|channel|>final<|message|>4",
                final: "4", messages: [["functions.f", "{}"]]),
            Case("<|channel|>analysis<|message|>a<|channel|>final<|message|>4", thinking: "a", final: "4"),
        ])
    func recipients(test: Case) { Self.check(test) }

    @Test(
        "P27: recipients that are no tools are none",
        arguments: [
            Case("<|channel|>commentary to=assistant<|channel|>analysis<|message|>a", thinking: "a", phase: .thinking),
            Case("<|channel|>commentary to=assistant<|channel|>final<|message|>4", final: "4"),
            Case(" to=user<|channel|>final<|message|>4", final: "4"),
            Case("<|channel|>final to=<|message|>4", final: "4"),
        ])
    func readers(test: Case) { Self.check(test) }

    @Test(
        "P28: output without headers, or with broken ones, is not lost",
        arguments: [
            Case("{\"ok\":true}", final: "{\"ok\":true}"),
            Case("\nHello", final: "\nHello"),
            Case("final answer: 4", final: "final answer: 4"),
            Case("to be or not", final: "to be or not"),
            Case("anal", final: "anal"),
            Case("\n", final: "\n"),
            Case("analysisWe need <|channel|>final<|message|>4", thinking: "analysisWe need", final: "4"),
            Case("analysis<|message|>a<|end|>final<|message|>4", thinking: "a", final: "4"),
            Case("<|channel|>final<|message|>4<|end|>\nmore", final: "4\nmore"),
            Case("<|channel|>final Hello there", final: "Hello there"),
            Case("<|channel|>final Hello<|end|>", final: "Hello"),
            Case("<|channel|>analysis<|end|><|start|>assistant<|channel|>final<|message|>4", final: "4"),
            Case("2 <", final: "2 <"),
            Case("<|channel|>final<|message|>2 <|en", final: "2 <|en"),
            Case("<|channel|>analysis<|message|>a <|en", thinking: "a <|en", phase: .thinking),
            Case("<|chan", final: "<|chan"),
            Case(
                "<|channel|>final<|message|>The <|message|> and <|channel|> tokens, <|start|>user",
                final: "The <|message|> and <|channel|> tokens, <|start|>user"),
        ])
    func broken(test: Case) { Self.check(test) }

    @Test(
        "P02, P07: what looks like a marker within a JSON string is quoted",
        arguments: [
            Case(
                "<|channel|>commentary to=functions.f<|message|>{\"t\":\"<|call|> \\\"<|end|>\"}<|call|>",
                messages: [["functions.f", "{\"t\":\"<|call|> \\\"<|end|>\"}"]], phase: .unknown),
            Case(
                "<|channel|>commentary to=functions.f<|message|>{\"t\":\"<|call|>\"}",
                messages: [["functions.f", "{\"t\":\"<|call|>\"}"]], phase: .unknown),
            // A string that never ends quotes nothing.
            Case(
                "<|channel|>commentary to=functions.f<|message|>{\"t\":\"a<|call|><|start|>assistant<|channel|>final"
                    + "<|message|>4", final: "4", messages: [["functions.f", "{\"t\":\"a"]]),
            Case(
                "<|channel|>commentary to=functions.f<|message|>{\"t\":\"end } here ] \\\" {\"}<|call|>",
                messages: [["functions.f", "{\"t\":\"end } here ] \\\" {\"}"]], phase: .unknown),
            Case(
                "<|channel|>commentary to=python<|message|>print(\"<|call|>", messages: [["python", "print(\""]],
                phase: .unknown),
        ])
    func quotations(test: Case) { Self.check(test) }

    @Test(
        "TH-3: the output goes on with the prompt's last message",
        arguments: [
            Case(
                "plan<|end|>", after: "<|start|>assistant<|channel|>analysis<|message|>", thinking: "plan",
                phase: .unknown),
            Case("\n4", after: "<|start|>assistant<|channel|>final<|message|>", final: "4"),
            Case("<|message|>4", after: "<|start|>assistant<|channel|>final", final: "4"),
            Case(
                "{}<|call|>", after: "<|start|>assistant<|channel|>commentary to=functions.f<|message|>",
                messages: [["functions.f", "{}"]], phase: .unknown),
            Case("<|channel|>final<|message|>4", after: "<|start|>assistant", final: "4"),
            Case("4", after: "", final: "4"),
            Case("4", after: "<|start|>user<|message|>x<|end|>", final: "4"),
        ])
    func promptTails(test: Case) { Self.check(test) }

    @Test("GO-3, TH-3: the request's word on the start")
    func startsInThinking() {
        func read(_ output: String, _ value: Bool?, _ tail: String = "<|start|>assistant") -> PhaseTranscript {
            .reading([output], with: HarmonyReader(promptTail: tail, startsInThinking: value))
        }
        #expect(HarmonyReader(startsInThinking: true).phase == .thinking)
        #expect(HarmonyReader(startsInThinking: false).phase == .final)
        #expect(HarmonyReader().phase == .unknown)
        #expect(HarmonyReader(promptTail: "<|start|>assistant<|channel|>analysis<|message|>").phase == .thinking)
        #expect(read("plan", true).thinking == "plan")
        #expect(read("plan", false).final == "plan")
        let tail = "<|start|>assistant<|channel|>analysis<|message|>"
        #expect(read("plan", false, tail).final == "plan")
        #expect(read("", nil, tail).entered == [.thinking])
    }

    @Test("P27: completeness, phase and the raw text of a message")
    func messages() {
        func message(_ output: String) -> HarmonyMessage? {
            PhaseTranscript.reading([output], with: HarmonyReader()).messages.first
        }
        let raw = "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}"
        #expect(
            message(raw + "<|call|>")
                == HarmonyMessage(
                    recipient: "functions.f", body: "{}", isComplete: true, phase: .final, raw: raw + "<|call|>"))
        #expect(message(raw)?.isComplete == false)
        #expect(message(raw)?.raw == raw)
        #expect(message(raw + "<|start|>assistant<|channel|>final<|message|>")?.isComplete == true)
        #expect(message("<|channel|>analysis to=functions.f<|message|>{}")?.phase == .thinking)
        let cut = message("<|channel|>commentary to=functions.f")
        #expect(cut?.body == "")
        #expect(cut?.isComplete == false)
        #expect(cut?.raw == "<|channel|>commentary to=functions.f")
        #expect(message(" to=functions.f")?.isComplete == false)
        #expect(message("<|channel|>commentary to=functions.f {\"a\":1}<|call|>")?.body == "{\"a\":1}")
    }

    @Test("TH-4: each message is a segment")
    func segments() {
        let transcript = PhaseTranscript.reading(
            [
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|>"
                    + "<|start|>assistant<|channel|>commentary<|message|>c<|end|>"
                    + "<|start|>assistant<|channel|>final<|message|>d<|return|>"
            ], with: HarmonyReader())
        #expect(transcript.segments.map(\.text) == ["a", "b", "c", "d"])
        #expect(transcript.entered == [.thinking, .unknown, .thinking, .unknown, .final])
    }

    @Test(
        "which templates are Harmony",
        arguments: [
            ("<|start|>assistant<|channel|>analysis<|message|>x<|end|>", true),
            ("<|channel|>final<|message|>", false),
            ("<|start|>assistant to=self<|message|>x<|eom|>", false),
            ("<|start|><|message|><|channel|>thought x<|channel|>", false),
            ("{{ messages }}", false),
        ])
    func matches(template: String, expected: Bool) {
        #expect(HarmonyReader.matches(template: template) == expected)
    }
}
