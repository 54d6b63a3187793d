import AppleIntelligenceWithStubs
import CarbocationLocalLLM
import FoundationModels
import Testing

@Suite("Conversations with the system's model", .timeLimit(.minutes(10)))
struct ConversationTests {
    private let engine = AppleIntelligenceEngine()

    private let messages = [
        LLMChatMessage(role: .system, content: "Be kind."), LLMChatMessage(role: .system, content: "Be short."),
        LLMChatMessage(role: .user, content: "Hi"), LLMChatMessage(role: .assistant, content: "Hello"),
        LLMChatMessage(role: .user, content: "Time?"),
        LLMChatMessage(
            role: .assistant, content: "Let me see.",
            toolCalls: [LLMToolCall(executionID: "call_1", name: "time", arguments: ["zone": "UTC"])]),
        LLMChatMessage(role: .tool, content: "12:00", toolCallID: "call_1"),
        LLMChatMessage(role: .assistant, content: "Noon."), LLMChatMessage(role: .system, content: "Be funny."),
        LLMChatMessage(role: .user, content: "Thanks"),
    ]

    @Test("MS-2: a conversation as the system is told it")
    func conversation() async {
        let script = StubScript.answers("Bye")
        let log = await script.run { await EventLog.of(engine.stream(LLMGenerationRequest(messages: messages))) }
        #expect(log.result?.finalText == "Bye")
        #expect(
            script.requests.map(\.transcript) == [
                [
                    "instructions: Be kind.\n\nBe short.", "prompt: Hi", "response: Hello", "prompt: Time?",
                    "response: Let me see.", #"calls: call_1 time {"zone":"UTC"}"#, "output: call_1 time 12:00",
                    "response: Noon.", "instructions: Be funny.",
                ]
            ])
        #expect(script.requests.map(\.prompt) == ["Thanks"])
    }

    @Test("MS-3: a conversation that ends with the output of a tool")
    func toolLast() async {
        let script = StubScript.answers("Noon.")
        let request = LLMGenerationRequest(messages: Array(messages.prefix(7)))
        let log = await script.run { await EventLog.of(engine.stream(request)) }
        #expect(log.result?.finalText == "Noon.")
        #expect(script.requests.first?.transcript.last == "output: call_1 time 12:00")
        #expect(script.requests.map(\.prompt) == ["Answer with the outputs of the tools."])
    }

    @Test("AI-5: preflight counts instructions, conversation and prompt, as the generation does")
    func preflight() async throws {
        let script = StubScript.answers("ok")
        try await script.run {
            let request = LLMGenerationRequest(
                messages: messages, options: Options(maxOutputTokens: 100))
            let budget = try await engine.preflight(request)
            let texts = messages.dropFirst(2).map(\.content) + [#"time{"zone":"UTC"}"#, "Be kind.\n\nBe short."]
            #expect(budget.promptTokens == texts.reduce(0) { $0 + TokenEstimator.estimate($1) })
            #expect(budget.loadedContextSize == 4096)
            #expect(budget.effectiveMaxOutputTokens == 100)
            #expect(!budget.usesExactTokenCounts)
            #expect(budget.templateMode == .unavailable)
            let log = await EventLog.of(engine.stream(request))
            #expect(log.result?.promptTokens == budget.promptTokens)
        }
    }

    @Test("AI-5: where the system counts, its count is taken")
    func counted() async throws {
        let script = StubScript([], tokenCount: { 100 * $0.count })
        try await script.run {
            let plain = try await engine.preflight(system: "Be kind.", prompt: "Hi")
            #expect(plain.promptTokens == 200)
            let options = Options(jsonSchema: ["type": "array", "items": ["type": "boolean"]])
            let structured = try await engine.preflight(system: "", prompt: "Hi", options: options)
            #expect(structured.promptTokens == 206)
        }
    }

    @Test("PF-2: a limit beyond the context is passed on as what fits")
    func limit() async {
        let script = StubScript([[.snapshot("ok")]], contextSize: 100)
        _ = await script.run { await engine.log("abc", Options(maxOutputTokens: 5000)) }
        #expect(script.requests.map(\.options.maximumResponseTokens) == [99])
    }

    @Test(
        "PF-2: a reserve is kept free, also where no limit was asked for",
        arguments: [(nil, 0, nil), (nil, 30, 69), (0, 30, 69), (5000, 30, 69), (20, 30, 20)] as [(Int?, Int, Int?)])
    func reserve(limit: Int?, reserve: Int, passed: Int?) async throws {
        let engine = AppleIntelligenceEngine(
            configuration: AppleIntelligenceConfiguration(promptReserveTokens: reserve))
        let script = StubScript([[.snapshot("ok")]], contextSize: 100)
        let options = Options(maxOutputTokens: limit)
        try await script.run {
            let budget = try await engine.preflight(system: "", prompt: "abc", options: options)
            #expect(passed == nil || budget.effectiveMaxOutputTokens == passed)
            _ = await engine.log("abc", options)
        }
        #expect(script.requests.map(\.options.maximumResponseTokens) == [passed])
    }

    @Test("EV-4: a cancelled reader gets what there was, and the system's reply is cancelled")
    func cancelled() async {
        let ended = OneShot<Bool>()
        let never = OneShot<Void>()
        let shown = OneShot<Void>()
        let script = StubScript([
            [
                .snapshot("Hello ST"),
                .perform {
                    defer { ended.resolve(Task.isCancelled) }
                    try await Cancellable.value { await never.value() }
                },
            ]
        ])
        let reader = Task {
            await script.run {
                let request = LLMGenerationRequest(prompt: "Hi", options: Options(stopSequences: ["STOP"]))
                return await EventLog.of(engine.stream(request)) { event in
                    if case .contentDelta = event { shown.resolve(()) }
                }
            }
        }
        await shown.value()
        reader.cancel()
        let log = await reader.value
        #expect(log.error is CancellationError)
        #expect(log.folded == "Hello ST")
        #expect(log.lines.last == "stats 1 3 cancelled unavailable")
        #expect(await ended.value())
    }

    @Test("EV-2: each iterator is a generation of its own")
    func twice() async throws {
        let script = StubScript.answers("one", "two")
        try await script.run {
            let stream = engine.stream(LLMGenerationRequest(prompt: "Hi"))
            #expect(script.requests.isEmpty)
            let texts = [try await stream.result().finalText, try await stream.result().finalText]
            #expect(texts == ["one", "two"])
        }
    }
}
