import CarbocationLocalLLM
import Testing

@Suite("LLMEngine conveniences", .timeLimit(.minutes(10)))
struct LLMEngineConveniencesTests {
    private static let messages = [
        LLMChatMessage(role: .system, content: "Be brief."), LLMChatMessage(role: .user, content: "echo"),
    ]

    @Test("EV-1: all forms give the same text for the same request")
    func sameText() async throws {
        let engine = StubEngine()
        let texts = [
            try await engine.generate(system: "Be brief.", prompt: "echo") { _ in },
            try await engine.generate(messages: Self.messages) { _ in },
            try await engine.generate(system: "Be brief.", prompt: "echo", onPhaseAwareEvent: { _ in }),
            try await engine.generate(messages: Self.messages, onPhaseAwareEvent: { _ in }),
            try await engine.generatePhased(system: "Be brief.", prompt: "echo").finalText,
            try await engine.generatePhased(messages: Self.messages).finalText,
            try await engine.stream(LLMGenerationRequest(messages: Self.messages)).result().finalText,
        ]
        #expect(texts == Array(repeating: "echo", count: 7))
        #expect(engine.requests.withLock { $0.map(\.messages) } == Array(repeating: Self.messages, count: 7))
    }

    @Test("EV-1: a bare trailing closure selects the onEvent form")
    func bareTrailingClosure() async throws {
        let engine = StubEngine()
        let plain = Locked<[String]>([])
        _ = try await engine.generate(system: "", prompt: "ab", options: .extractionSafe) { event in
            // Two values in the pattern: the phase-aware event has three.
            if case .tokenChunk(let preview, let bytesSoFar) = event {
                plain.withLock { $0.append("\(preview)\(bytesSoFar)") }
            }
        }
        #expect(plain.withLock { $0 } == ["a1", "b2"])
        // These need not look at the event to be unambiguous.
        _ = try await engine.generate(system: "", prompt: "x", options: GenerationOptions()) { _ in }
        _ = try await engine.generate(system: "", prompt: "x") { _ in }
        _ = try await engine.generate(messages: Self.messages, options: GenerationOptions()) { _ in }
        _ = try await engine.generate(messages: Self.messages, control: LLMGenerationControl()) { _ in }
        let existential: any LLMEngine = engine
        _ = try await existential.generate(system: "", prompt: "x", options: GenerationOptions()) { _ in }
    }

    @Test("EV-1: the phase-aware form is chosen by its label, as closure or as function")
    func phaseAwareForm() async throws {
        let engine = StubEngine()
        let deltas = Locked<[String]>([])
        let receive: @Sendable (LLMPhaseAwareStreamEvent) -> Void = { event in
            if case .finalAnswerDelta(let text, _) = event { deltas.withLock { $0.append(text) } }
        }
        _ = try await engine.generate(system: "", prompt: "ab", onPhaseAwareEvent: receive)
        _ = try await engine.generate(messages: Self.messages, control: nil, onPhaseAwareEvent: receive)
        #expect(deltas.withLock { $0 } == ["a", "b", "e", "c", "h", "o"])
    }

    @Test("EV-6: closures get the stream's events in order, adapted")
    func adaptedEvents() async throws {
        let engine = StubEngine()
        var expected: [LLMGenerationStreamEvent] = []
        for try await event in engine.stream(LLMGenerationRequest(prompt: "ab")) { expected.append(event) }

        let general = Locked<[String]>([])
        _ = try await engine.generatePhased(system: "", prompt: "ab") { event in
            general.withLock { $0.append(String(describing: event)) }
        }
        #expect(general.withLock { $0 } == texts(expected))

        let phaseAware = Locked<[String]>([])
        _ = try await engine.generate(
            system: "", prompt: "ab",
            onPhaseAwareEvent: { event in phaseAware.withLock { $0.append(String(describing: event)) } })
        #expect(phaseAware.withLock { $0 } == expected.compactMap(\.phaseAwareEvent).map { String(describing: $0) })

        let plain = Locked<[String]>([])
        _ = try await engine.generate(system: "", prompt: "ab") { event in
            plain.withLock { $0.append(String(describing: event)) }
        }
        let expectedPlain = expected.compactMap(\.phaseAwareEvent?.streamEvent)
        #expect(plain.withLock { $0 } == expectedPlain.map { String(describing: $0) })
        #expect(expectedPlain.count == 6)
    }

    @Test("EV-6: closures run one at a time and never after the call returned")
    func closuresDoNotOutliveTheCall() async throws {
        let engine = StubEngine()
        let state = Locked((isRunning: false, hasReturned: false, faults: 0, calls: 0))
        let prompt = String(repeating: "x", count: 500)
        _ = try await engine.generatePhased(system: "", prompt: prompt) { _ in
            state.withLock { state in
                if state.isRunning || state.hasReturned { state.faults += 1 }
                state.isRunning = true
                state.calls += 1
            }
            state.withLock { $0.isRunning = false }
        }
        let calls = state.withLock { state in
            state.hasReturned = true
            return state.calls
        }
        await Task.yield()
        #expect(calls > 1_000)
        #expect(state.withLock { $0.calls } == calls)
        #expect(state.withLock { $0.faults } == 0)
    }

    @Test("EV-4, EV-6: a cancelled call still hands on the last events and throws CancellationError")
    func cancellation() async {
        let engine = StubEngine(waitsForCancellation: true)
        let reasons = Locked<[LLMStopReason]>([])
        let started = Gate()
        let task = Task {
            try await engine.generate(system: "", prompt: "a") { event in
                switch event {
                case .tokenChunk: started.open()
                case .generationStats(_, _, let reason, _): reasons.withLock { $0.append(reason) }
                default: break
                }
            }
        }
        await started.pass()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(reasons.withLock { $0 } == [.cancelled])
    }

    @Test("EV-1: preflight takes messages or system and prompt")
    func preflight() async throws {
        let engine = StubEngine()
        let options = GenerationOptions(maxOutputTokens: 9)
        let first = try await engine.preflight(system: "Be brief.", prompt: "echo", options: options)
        let second = try await engine.preflight(messages: Self.messages, options: options)
        #expect(first == second)
        #expect(first.promptTokens == 5)
        #expect(first.effectiveMaxOutputTokens == 9)
        #expect(try await engine.preflight(system: "", prompt: "abcd").promptTokens == 2)
    }
}
