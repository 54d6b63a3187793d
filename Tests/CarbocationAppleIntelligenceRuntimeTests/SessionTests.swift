import AppleIntelligenceWithStubs
import CarbocationLocalLLM
import FoundationModels
import TestSupport
import Testing

@Suite("Sessions with the system's model", .timeLimit(.minutes(10)))
struct SessionTests {
    private func texts(_ session: AppleIntelligenceSession) async -> [String] {
        await session.transcript.map { "\($0.role.rawValue): \($0.content)" }
    }

    @Test("SE-1: each prompt is answered with the turns before")
    func memory() async throws {
        let script = StubScript.answers("Hello", "Fine")
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "Be kind.")
            #expect(await texts(session) == ["system: Be kind."])
            #expect(try await session.stream(prompt: "Hi").result().finalText == "Hello")
            #expect(try await session.stream(prompt: "How are you?").result().finalText == "Fine")
            #expect(
                await texts(session) == [
                    "system: Be kind.", "user: Hi", "assistant: Hello", "user: How are you?", "assistant: Fine",
                ])
        }
        #expect(script.requests.last?.transcript == ["instructions: Be kind.", "prompt: Hi", "response: Hello"])
        // The system keeps what it has read.
        #expect(script.sessionCount == 1)
    }

    @Test("SE-1: a blank system text is none, and other instructions are another beginning")
    func instructions() async throws {
        let script = StubScript.answers("Hello", "{}", "Fine")
        try await script.run {
            let session = try await AppleIntelligenceSession(system: " \n")
            _ = try await session.stream(prompt: "Hi").result()
            _ = try await session.stream(prompt: "JSON", options: Options(stopAtBalancedJSON: true)).result()
            _ = try await session.stream(prompt: "How are you?").result()
        }
        #expect(
            script.requests.map(\.transcript.first) == [
                nil, "instructions: \(StructuredOutputTests.directive)", "prompt: Hi",
            ])
        #expect(script.requests.last?.transcript == ["prompt: Hi", "response: Hello", "prompt: JSON", "response: {}"])
    }

    @Test("SE-2: a turn that fails leaves no trace")
    func failed() async throws {
        let script = StubScript([
            [.snapshot("Hello")],
            [.snapshot("Hal"), .fail(LanguageModelSession.GenerationError.rateLimited(StubScript.context()))],
            [.snapshot("Fine")],
        ])
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            _ = try await session.stream(prompt: "Hi").result()
            await #expect(throws: AppleIntelligenceError.self) { try await session.stream(prompt: "Bad").result() }
            #expect(await texts(session) == ["user: Hi", "assistant: Hello"])
            _ = try await session.stream(prompt: "How are you?").result()
        }
        #expect(script.requests.last?.transcript == ["prompt: Hi", "response: Hello"])
        #expect(script.sessionCount == 2)
    }

    @Test("SE-2: a turn that is cancelled leaves no trace, and the next one goes on")
    func cancelled() async throws {
        let never = OneShot<Void>()
        let shown = OneShot<Void>()
        let script = StubScript([
            [.snapshot("Hel"), .perform { try await Cancellable.value { await never.value() } }], [.snapshot("Fine")],
        ])
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            let turn = Task {
                await EventLog.of(session.stream(prompt: "Hi")) { event in
                    if case .contentDelta = event { shown.resolve(()) }
                }
            }
            await shown.value()
            turn.cancel()
            #expect(await turn.value.error is CancellationError)
            #expect(await session.transcript.isEmpty)
            #expect(try await session.stream(prompt: "How are you?").result().finalText == "Fine")
        }
    }

    @Test("SE-2: what a stop sequence cuts off is not remembered")
    func cut() async throws {
        let script = StubScript.answers("one STOP two", "Fine")
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            _ = try await session.stream(prompt: "Count", options: Options(stopSequences: [" STOP"])).result()
            _ = try await session.stream(prompt: "And?").result()
        }
        #expect(script.requests.last?.transcript == ["prompt: Count", "response: one"])
    }

    @Test("SE-5: calls run one after the other, in the order in which they came")
    func order() async throws {
        let goOn = OneShot<Void>()
        let began = OneShot<Void>()
        let script = StubScript([
            [
                .perform {
                    began.resolve(()); await goOn.value()
                }, .snapshot("a"),
            ], [.snapshot("b")],
        ])
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            let first = Task { try await session.stream(prompt: "1").result().finalText }
            await began.value()
            let second = Task { try await session.stream(prompt: "2").result().finalText }
            goOn.resolve(())
            #expect(try await [first.value, second.value] == ["a", "b"])
            #expect(await texts(session) == ["user: 1", "assistant: a", "user: 2", "assistant: b"])
        }
    }

    @Test("SE-6: after a reset the next turn is like the first")
    func reset() async throws {
        let script = StubScript.answers("Hello", "Hello")
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "Be kind.")
            _ = try await session.stream(prompt: "Hi").result()
            await session.reset()
            #expect(await texts(session) == ["system: Be kind."])
            _ = try await session.stream(prompt: "Hi").result()
        }
        #expect(script.requests.map(\.transcript) == [["instructions: Be kind."], ["instructions: Be kind."]])
    }

    @Test("SE-6: a fork goes on by itself")
    func fork() async throws {
        let script = StubScript.answers("Hello", "a", "b")
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            _ = try await session.stream(prompt: "Hi").result()
            let other = try await session.fork()
            _ = try await session.stream(prompt: "A").result()
            _ = try await other.stream(prompt: "B").result()
            #expect(await texts(session) == ["user: Hi", "assistant: Hello", "user: A", "assistant: a"])
            #expect(await texts(other) == ["user: Hi", "assistant: Hello", "user: B", "assistant: b"])
        }
        #expect(script.requests.last?.transcript == ["prompt: Hi", "response: Hello"])
    }

    @Test("SE-8: after unload every call throws; a running generation ends first")
    func unload() async throws {
        let goOn = OneShot<Void>()
        let began = OneShot<Void>()
        let script = StubScript([
            [
                .perform {
                    began.resolve(()); await goOn.value()
                }, .snapshot("a"),
            ]
        ])
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            let turn = Task { try await session.stream(prompt: "1").result().finalText }
            await began.value()
            let unloading = Task { await session.unload() }
            goOn.resolve(())
            #expect(try await turn.value == "a")
            await unloading.value
            await #expect(throws: LLMSessionError.unloaded) { try await session.stream(prompt: "2").result() }
            await #expect(throws: LLMSessionError.unloaded) { try await session.preflight(prompt: "2") }
            await #expect(throws: LLMSessionError.unloaded) { try await session.fork() }
            await session.reset()
            #expect(await session.transcript.count == 2)
        }
    }

    @Test("SE-4: preflight counts earlier turns, and a generation agrees")
    func preflight() async throws {
        let script = StubScript([[.snapshot("abcdef")]], contextSize: 10)
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "abc")
            _ = try await session.stream(prompt: "abc").result()
            #expect(try await session.preflight(prompt: "abc").promptTokens == 5)
            let long = String(repeating: "abc", count: 6)
            #expect(try await !session.preflight(prompt: long).canGenerate)
            let expected = LLMEngineError.contextBudgetExceeded(contextSize: 10, promptTokens: 10, reserve: 0)
            await #expect(throws: expected) { try await session.stream(prompt: long).result() }
        }
    }

    @Test("SE-1: calls and outputs of tools are in the transcript, and ids stay unique")
    func tools() async throws {
        let call = StubScript.Call("calculate", #"{"operation":"add","operands":[1,2]}"#)
        let script = StubScript([
            [.calls([call]), .snapshot("3")], [.calls([call]), .snapshot("3 again")], [.snapshot("!")],
        ])
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            for prompt in ["1 + 2?", "Again?"] {
                let request = LLMToolGenerationRequest(prompt: prompt, tools: [ToolContract.calculate()])
                _ = try await session.streamWithTools(request).result()
            }
            #expect(
                await texts(session) == [
                    "user: 1 + 2?", "assistant: ", #"tool: {"ok":true,"result":3}"#, "assistant: 3", "user: Again?",
                    "assistant: ", #"tool: {"ok":true,"result":3}"#, "assistant: 3 again",
                ])
            #expect(await session.transcript.compactMap(\.toolCallID) == ["call_1", "call_2"])
            _ = try await session.stream(prompt: "Thanks").result()
        }
        #expect(script.requests.last?.transcript.contains(#"output: call_2 calculate {"ok":true,"result":3}"#) == true)
    }

    @Test("SE-5: a tool that calls the session of its own turn is refused")
    func inside() async throws {
        let script = StubScript([[.calls([StubScript.Call("ask", "{}")]), .snapshot("ok")]])
        try await script.run {
            let session = try await AppleIntelligenceSession(system: "")
            let tool = LLMTool(definition: LLMToolDefinition(name: "ask", description: "Asks.")) { _ in
                await session.reset()
                return .string(try await session.stream(prompt: "Hi").result().finalText)
            }
            let request = LLMToolGenerationRequest(prompt: "Go", tools: [tool])
            let result = try await session.streamWithTools(request).result()
            #expect(result.toolOutputs.map(\.isError) == [true])
            await session.unload()
            #expect(await session.transcript.isEmpty)
        }
    }

    @Test("MS-3: a turn with tools has the prompt as its only message")
    func onlyPrompt() async throws {
        try await StubScript([]).run {
            let session = try await AppleIntelligenceSession(system: "")
            let request = LLMToolGenerationRequest(system: "Be kind.", prompt: "Hi")
            await #expect(throws: LLMEngineError.self) { try await session.streamWithTools(request).result() }
        }
    }
}
