import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("AddressedReader")
struct AddressedReaderTests {
    typealias Case = HarmonyReaderTests.Case

    private static let tail = "<|eot|><|start|>assistant"

    private static func check(_ test: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        test.check(AddressedReader(promptTail: test.tail), sourceLocation: sourceLocation)
    }

    @Test(
        "TH-1, TH-4: recipients are phases, and headers never show",
        arguments: [
            Case("", phase: .unknown),
            Case(" to=user<|message|>Hello\nthere<|eot|>", final: "Hello\nthere"),
            Case(" to=user<|message|>\n4\n", final: "4\n"),
            Case("to=user<|message|>4", final: "4"),
            Case("<|message|>4<|eot|>", final: "4"),
            Case(" to=all<|message|>4", final: "4"),
            Case(" to=self<|message|>Hm,\nwell. ", thinking: "Hm,\nwell. ", phase: .thinking),
            Case(" to=self<|message|>Hm.\n<|eom|>", thinking: "Hm.", phase: .unknown),
            Case(
                " to=self<|message|>Hm.<|eom|><|start|>assistant to=user<|message|>4<|eot|>", thinking: "Hm.",
                final: "4"),
            Case(
                "<|start|>assistant to=self<|message|>a<|eom|><|start|>assistant<|message|>b", thinking: "a", final: "b"
            ),
            Case(
                " to=self<|message|>a<|eom|><|start|>assistant to=self<|message|>b<|eom|>", thinking: "a\nb",
                phase: .unknown),
            Case(" to=self<|message|>a<|eom|> to=user<|message|>b", thinking: "a", final: "b"),
            Case(" to=user<|message|>a<|eom|><|start|>assistant to=user<|message|>b<|eot|>", final: "a\nb"),
            // The next message begins without an end of this one.
            Case(" to=self<|message|>a<|start|>assistant to=user<|message|>b", thinking: "a", final: "b"),
        ])
    func recipients(test: Case) { Self.check(test) }

    @Test(
        "P27: what is for a tool is the markup of a call, or an object of arguments",
        arguments: [
            Case(" to=add<|message|><atem:function_calls>\n<atem:invoke", final: "<atem:function_calls>\n<atem:invoke"),
            Case(" to=a.b<|message|>\n<x>1</x><|eom|><|start|>assistant to=c<|message|><y>", final: "<x>1</x>\n<y>"),
            Case(" to=add<|message|>{\"a\":1}<|eot|>", messages: [["add", "{\"a\":1}"]], phase: .unknown),
            Case(
                " to=user<|message|>Now.<|eom|><|start|>assistant to=add<|message|> {\"a\":1}<|eom|>"
                    + "<|start|>assistant to=add<|message|>{\"a\":2", final: "Now.",
                messages: [["add", "{\"a\":1}"], ["add", "{\"a\":2"]]),
            Case(" to=add<|message|>\n<|eom|>", messages: [["add", ""]], phase: .unknown),
            Case(" to=add<|message|>\n", messages: [["add", ""]], phase: .unknown),
            Case(" to=add", messages: [["add", ""]], phase: .unknown),
        ])
    func tools(test: Case) { Self.check(test) }

    @Test(
        "P28: output without headers, or with broken ones, is not lost, and headers that are cut off do not show",
        arguments: [
            Case("Hello", final: "Hello"), Case("\nHello", final: "\nHello"), Case("\n", final: "\n"),
            Case("to be or not", final: "to be or not"), Case("to=5 is it", final: "to=5 is it"),
            Case("assistants help", final: "assistants help"), Case("t", final: "t"), Case("2 <", final: "2 <"),
            Case(" to=user Hello <|eot|>", final: "Hello "),
            Case(" to=self\nHm.<|eom|>", thinking: "Hm.", phase: .unknown),
            Case(" to", phase: .unknown), Case(" to=", phase: .unknown), Case(" to=us", phase: .unknown),
            Case(" to=user", phase: .unknown), Case(" to=self", phase: .thinking),
            Case(" to=user<|mess", phase: .unknown),
            Case(" to=self<|message|>a<|eom|><|start|>assistant to=use", thinking: "a", phase: .unknown),
            Case(" to=self<|message|>a<|eom|><|start|>assistant 4", thinking: "a", final: "4"),
            Case(" to=self<|message|>a<|eom|>\n4", thinking: "a", final: "4"),
            Case("4<|eom|>\n5", final: "4\n5"), Case("to<|eot|>", final: "to"),
            Case(" to=user<|message|>2 <|en", final: "2 <|en"),
            Case(
                " to=user<|message|>The <|message|> token, to=user<|message|>, <|start|>user",
                final: "The <|message|> token, to=user<|message|>, <|start|>user"),
        ])
    func broken(test: Case) { Self.check(test) }

    @Test(
        "TH-3: the output goes on with the prompt's last message",
        arguments: [
            Case("plan<|eom|>", after: "<|start|>assistant to=self<|message|>", thinking: "plan", phase: .unknown),
            Case("\n4", after: "<|start|>assistant to=user<|message|>", final: "4"),
            Case(" 4", after: "<|start|>assistant to=user<|message|>It is", final: " 4"),
            Case("self<|message|>a", after: "<|start|>assistant to=", thinking: "a", phase: .thinking),
            Case("<|message|>a", after: "<|start|>assistant to=user", final: "a"),
            Case("{}<|eot|>", after: "<|start|>assistant to=f<|message|>", messages: [["f", "{}"]], phase: .unknown),
            Case(
                "<|start|>assistant to=user<|message|>4",
                after: "<|start|>assistant to=self<|message|>a<|eom|>", final: "4"),
            Case("4", after: "", final: "4"),
        ])
    func prompts(test: Case) { Self.check(test) }

    @Test("what the request says about the start counts where no header does")
    func startsInThinking() {
        let reader = AddressedReader(promptTail: Self.tail, startsInThinking: true)
        let bare = PhaseTranscript.reading(["Hm.<|eom|>4"], with: reader)
        #expect(bare.thinking == "Hm." && bare.final == "4")
        #expect(PhaseTranscript.reading([" to=user<|message|>4"], with: reader).final == "4")
    }

    @Test(
        "which templates have such headers",
        arguments: [
            ("<|start|>assistant to=self<|message|>x<|eom|>", true),
            ("<|start|>assistant to=self<|channel|>analysis<|message|>x<|eom|>", false),
            ("<|start|>assistant to=self<|message|>x<|end|>", false), ("{{ messages }}", false),
        ])
    func matches(template: String, expected: Bool) {
        #expect(AddressedReader.matches(template: template) == expected)
    }
}
