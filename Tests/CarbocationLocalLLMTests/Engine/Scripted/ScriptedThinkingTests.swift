import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("ScriptedLLMEngine, the end of thinking", .timeLimit(.minutes(10)))
struct ScriptedThinkingTests {
    private static let pair = LLMStreamPhaseConfiguration(
        thinkingPairs: [OutputDelimiterPair(open: "<think>", close: "</think>")])

    /// Generates with a control, and does something at each delay.
    private func transcript(
        of turn: [ScriptedLLMEngine.Step], options: GenerationOptions = GenerationOptions(),
        atDelay act: (Int, LLMGenerationControl) -> Void
    ) async -> ScriptedTranscript {
        let clock = ManualClock()
        let control = LLMGenerationControl()
        let engine = ScriptedLLMEngine(script: [turn], clock: clock)
        let reading = Task { await engine.transcript(options, control: control) }
        let delays = turn.count { step in
            if case .delay = step { true } else { false }
        }
        for number in 0..<delays {
            await clock.sleeping()
            act(number, control)
            clock.advance(by: .seconds(1))
        }
        let transcript = await reading.value
        #expect(control.thinkingTerminationRequestCount == 0)
        return transcript
    }

    @Test("TH-9, RS-5: a request ends the thinking with its message, and the turn goes on with the answer")
    func request() async {
        let transcript = await transcript(
            of: [
                .thinking("a"), .delay(.seconds(1)), .thinking("b"), .delay(.seconds(1)), .thinking("c"), .text("d"),
                .thinking("e"), .text("f"),
            ]
        ) { number, control in
            guard number == 0 else { return }
            #expect(control.requestThinkingTermination(message: " Stop."))
            #expect(control.thinkingTerminationRequestCount == 1)
        }
        #expect(transcript.result?.thinkingText == "a Stop.\ne")
        #expect(transcript.result?.finalText == "d\nf")
        #expect(transcript.result?.rawGeneratedText == "a Stop.def")
        #expect(transcript.result?.generatedTokens == 5)
        #expect(transcript.result?.stopReason == .complete)
    }

    @Test("TH-9: a newer request replaces one that is pending, and the message may be empty")
    func newer() async {
        let turn: [ScriptedLLMEngine.Step] = [.thinking("a"), .delay(.seconds(1)), .thinking("b"), .text("d")]
        let replaced = await transcript(of: turn) { _, control in
            control.requestThinkingTermination(message: "one")
            control.requestThinkingTermination(message: "two")
            #expect(control.thinkingTerminationRequestCount == 2)
        }
        #expect(replaced.result?.thinkingText == "atwo")
        let silent = await transcript(of: turn) { _, control in control.requestThinkingTermination() }
        #expect(silent.result?.thinkingText == "a")
        #expect(silent.result?.finalText == "d")
        #expect(silent.result?.generatedTokens == 2)
    }

    @Test("TH-9: a request in another phase is dropped")
    func otherPhase() async {
        let transcript = await transcript(
            of: [.text("x"), .delay(.seconds(1)), .thinking("a"), .thinking("b"), .text("y")]
        ) { _, control in
            control.requestThinkingTermination(message: "Stop.")
        }
        #expect(transcript.result?.thinkingText == "ab")
        #expect(transcript.result?.finalText == "x\ny")
    }

    @Test("TH-9: an answer whose first text is held is no thinking any more")
    func heldAnswer() async {
        let transcript = await transcript(
            of: [.thinking("a"), .text("ST"), .delay(.seconds(1)), .text("art"), .thinking("b"), .text("c")],
            options: GenerationOptions(stopSequences: ["STOP"])
        ) { _, control in
            control.requestThinkingTermination(message: "Stop.")
        }
        #expect(transcript.result?.thinkingText == "a\nb")
        #expect(transcript.result?.finalText == "STart\nc")
    }

    @Test("TH-9: before the first chunk a request waits for it")
    func beforeFirstChunk() async {
        let transcript = await transcript(
            of: [.delay(.seconds(1)), .thinking("a"), .thinking("b"), .text("c")]
        ) { _, control in
            control.requestThinkingTermination(message: "!")
        }
        #expect(transcript.result?.thinkingText == "a!")
        #expect(transcript.result?.finalText == "c")
    }

    @Test("TH-9: thinking that markers show is ended too")
    func marked() async {
        let transcript = await transcript(
            of: [
                .text("<think>a"), .delay(.seconds(1)), .text("b"), .text("c</th"), .text("ink>d"), .thinking("e"),
                .text("f"),
            ],
            options: GenerationOptions(streamPhaseConfiguration: Self.pair)
        ) { _, control in
            control.requestThinkingTermination(message: "!")
        }
        #expect(transcript.result?.thinkingText == "a!\ne")
        #expect(transcript.result?.finalText == "d\nf")
        #expect(transcript.result?.rawGeneratedText == transcript.rawText)
    }

    struct Budget: Sendable {
        var tokens: Int?
        var isOn = true
        var thinking: String
        var generated: Int
    }

    @Test(
        "TH-7, TH-8: a budget counts chunks of thinking",
        arguments: [
            Budget(tokens: 0, thinking: "!", generated: 2), Budget(tokens: 1, thinking: "a!", generated: 3),
            Budget(tokens: 3, thinking: "abc!", generated: 5), Budget(tokens: 4, thinking: "abc", generated: 4),
            Budget(tokens: nil, thinking: "abc", generated: 4),
            Budget(tokens: 1, isOn: false, thinking: "abc", generated: 4),
        ])
    func budget(_ budget: Budget) async throws {
        let options = GenerationOptions(
            enableThinking: budget.isOn, thinkingBudgetTokens: budget.tokens, thinkingBudgetMessage: "!")
        let engine = ScriptedLLMEngine(script: [[.thinking("a"), .thinking("b"), .thinking("c"), .text("d")]])
        let transcript = await engine.transcript(options)
        #expect(transcript.result?.thinkingText == budget.thinking)
        #expect(transcript.folded[.thinking] == budget.thinking)
        #expect(transcript.result?.finalText == "d")
        #expect(transcript.result?.generatedTokens == budget.generated)
        guard case .firstByteReceived = transcript.events.dropFirst().first else {
            Issue.record("the first chunk is not announced first: \(transcript.events)")
            return
        }
    }

    @Test("a budget of 0 without a message leaves nothing of the thinking, in later blocks neither")
    func nothing() async throws {
        let options = GenerationOptions(enableThinking: true, thinkingBudgetTokens: 0)
        let result = try await ScriptedLLMEngine.result(
            of: [.thinking("a"), .text("b"), .thinking("c"), .text("d")], options)
        #expect(result.phaseSegments == [LLMGenerationPhaseSegment(phase: .final, text: "bd")])
        #expect(result.generatedTokens == 2)
    }

    @Test("TH-8: a budget counts thinking that markers show", arguments: [0, 1, 2])
    func markedBudget(tokens: Int) async throws {
        let options = GenerationOptions(
            enableThinking: true, thinkingBudgetTokens: tokens, thinkingBudgetMessage: "!",
            streamPhaseConfiguration: Self.pair)
        let result = try await ScriptedLLMEngine.result(
            of: [.text("<think>"), .text("a"), .text("b"), .text("c"), .text("</think>"), .text("d")], options)
        #expect(result.thinkingText == "abc".prefix(tokens) + "!")
        #expect(result.finalText == "d")
        var started = options
        started.streamPhaseConfiguration.startsInThinking = true
        let open = try await ScriptedLLMEngine.result(
            of: [.text("a"), .text("b"), .text("c"), .text("</think>"), .text("d")], started)
        #expect(open.thinkingText == "abc".prefix(tokens) + "!")
        #expect(open.finalText == "d")
    }

    @Test("TH-5: a limit inside thinking leaves the answer empty")
    func limit() async throws {
        let result = try await ScriptedLLMEngine.result(
            of: [.thinking("a"), .thinking("b"), .text("c")],
            GenerationOptions(maxOutputTokens: 2, enableThinking: true, thinkingBudgetTokens: 2))
        #expect(result.thinkingText == "ab")
        #expect(result.finalText.isEmpty)
        #expect(result.stopReason == .maxTokens)
    }
}
