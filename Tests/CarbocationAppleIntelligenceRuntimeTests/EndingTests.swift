import CarbocationLocalLLM
import FoundationModels
import TestSupport
import Testing

@testable import AppleIntelligenceWithStubs

@Suite("Ends of replies of the system's model", .timeLimit(.minutes(10)))
struct EndingTests {
    private let engine = AppleIntelligenceEngine()

    // MARK: Cancellation

    @Test("EV-3: a cancelled generation ends although the system goes on")
    func deaf() async {
        let goOn = OneShot<Void>()
        let shown = OneShot<Void>()
        let wentOn = OneShot<Void>()
        let script = StubScript(
            [
                [
                    .snapshot("Hel"), .perform { await goOn.value() }, .snapshot("Hello"),
                    .perform { wentOn.resolve(()) },
                ]
            ], heedsCancellation: false)
        let reader = Task {
            await script.run {
                await EventLog.of(engine.stream(LLMGenerationRequest(prompt: "Hi"))) { event in
                    if case .contentDelta = event { shown.resolve(()) }
                }
            }
        }
        await shown.value()
        reader.cancel()
        let log = await reader.value
        #expect(log.error is CancellationError)
        #expect(log.lines.last == "stats 1 1 cancelled unavailable")
        goOn.resolve(())
        await wentOn.value()
    }

    @Test("EV-3: a cancelled turn leaves no trace although the system goes on, and the next one does not wait for it")
    func deafTurn() async throws {
        let goOn = OneShot<Void>()
        let shown = OneShot<Void>()
        let script = StubScript(
            [[.snapshot("Hel"), .perform { await goOn.value() }, .snapshot("Hello")], [.snapshot("Fine")]],
            heedsCancellation: false)
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
            #expect(try await session.stream(prompt: "How are you?").result().finalText == "Fine")
            #expect(await session.transcript.map(\.content) == ["How are you?", "Fine"])
            await session.unload()
        }
        #expect(script.sessionCount == 2)
        goOn.resolve(())
    }

    @Test("EV-3: a cancelled run with tools ends although the system and a tool go on, and nothing is told any more")
    func deafTool() async {
        let started = OneShot<Void>()
        let goOn = OneShot<Void>()
        let tool = LLMTool(definition: LLMToolDefinition(name: "wait", description: "Waits.")) { _ in
            started.resolve(())
            await goOn.value()
            return .null
        }
        let script = StubScript(
            [[.calls([StubScript.Call("wait", "{}")]), .perform { await goOn.value() }, .snapshot("Hello")]],
            heedsCancellation: false)
        let request = LLMToolGenerationRequest(prompt: "Go", tools: [tool])
        let run = Task { await script.run { await ToolRunLog.of(request, on: engine) } }
        await started.value()
        run.cancel()
        let log = await run.value
        let lines = ["round 1", "start call_1 wait {}", "stopped cancelled", "error CancellationError()"]
        #expect(log == lines)
        goOn.resolve(())
    }

    @Test("EV-3: counting tokens does not hold up who is cancelled")
    func counting() async {
        let began = OneShot<Void>()
        let goOn = OneShot<Void>()
        let script = StubScript(
            [],
            tokenCount: { transcript in
                began.resolve(())
                await goOn.value()
                return transcript.count
            })
        let reader = Task { await script.run { await engine.log("abcdef") } }
        let preflight = Task {
            try await script.run { try await engine.preflight(system: "", prompt: "abcdef") }
        }
        await began.value()
        reader.cancel()
        preflight.cancel()
        let log = await reader.value
        #expect(log.error is CancellationError)
        #expect(log.lines == ["sent unknown", "stats 2 0 cancelled unavailable"])
        await #expect(throws: CancellationError.self) { try await preflight.value }
        goOn.resolve(())
    }

    // MARK: Signs of life

    @Test("EV-7: nothing follows the end, not even a sign of life", arguments: [true, false])
    func lateBeat(isSuccess: Bool) throws {
        let kinds = Locked<[String]>([])
        let reply = SystemReply(
            ReplyFormat(stops: [], answer: .text), time: ElapsedTime(on: ManualClock())
        ) { event in
            kinds.withLock { kinds in
                switch event {
                case .requestSent: kinds.append("sent")
                case .diagnostic(let message): kinds.append(message)
                case .generationStats: kinds.append("stats")
                case .done: kinds.append("done")
                case .completed: kinds.append("completed")
                case .phaseChanged: break
                default: kinds.append("other")
                }
            }
        }
        #expect(reply.beat("first"))
        if isSuccess {
            _ = try reply.complete(promptTokens: 1)
        } else {
            reply.interrupt(promptTokens: 1, stopReason: .cancelled)
        }
        #expect(!reply.beat("second"))
        #expect(!reply.take("Hello"))
        reply.noteCall(LLMToolCall(executionID: "call_1", name: "go", arguments: [:]))
        reply.interrupt(promptTokens: 1, stopReason: .cancelled)
        #expect(kinds.withLock { $0 } == ["sent", "first", "stats"] + (isSuccess ? ["done", "completed"] : []))
    }

    @Test("EV-12: an interval that no clock can wait for", arguments: [1e10, 1e300, .greatestFiniteMagnitude])
    func endless(interval: Double) async {
        let clock = ManualClock()
        let goOn = OneShot<Void>()
        let configuration = AppleIntelligenceConfiguration(heartbeatInterval: interval)
        let script = StubScript([[.perform { await goOn.value() }, .snapshot("ok")], [.snapshot("ok")]])
        await script.run {
            let engine = AppleIntelligenceEngine(configuration: configuration, clock: clock)
            let time = Task {
                await clock.sleeping()
                clock.advance(by: .seconds(1_000_000_000))
            }
            let log = await EventLog.of(engine.stream(LLMGenerationRequest(prompt: "Hi"))) { event in
                if case .diagnostic = event { goOn.resolve(()) }
            }
            await time.value
            #expect(
                log.diagnostics == [
                    "diagnostic no output after 1000000000 s for a prompt of about 1 tokens"
                ])
            let usual = AppleIntelligenceEngine(configuration: configuration)
            #expect(await usual.log("Hi").result?.finalText == "ok")
        }
    }

    // MARK: Calls

    @Test("TL-7: a reply that a stop sequence ends while tools run leaves no call without an output")
    func stopped() async throws {
        let both = OneShot<Void>()
        let never = OneShot<Void>()
        let running = Locked(0)
        let tool = LLMTool(definition: LLMToolDefinition(name: "wait", description: "Waits.")) { _ in
            let count = running.withLock { running in
                running += 1
                return running
            }
            if count == 2 { both.resolve(()) }
            try await Cancellable.value { await never.value() }
            return .null
        }
        let calls = [StubScript.Call("wait", "{}"), StubScript.Call("wait", "{}")]
        let script = StubScript([[.writing("one STOP", after: { await both.value() }, during: calls)]])
        let request = LLMToolGenerationRequest(
            prompt: "Go", options: Options(stopSequences: ["STOP"]), tools: [tool])
        let log = await script.run { await ToolRunLog.of(request, on: engine) }
        #expect(
            log == [
                "round 1", "start call_1 wait {}", "start call_2 wait {}", "final: one ",
                "fail call_1 tool_execution_failed", "fail call_2 tool_execution_failed", "stopped stop-sequence",
                "result “one ” rounds 1 calls [\"call_1\", \"call_2\"] outputs [\"call_1\", \"call_2\"] stop-sequence",
            ])
    }

    @Test("TL-7: so do calls that waited for others, and what tools give afterwards is not told")
    func waiting() async throws {
        try await StubScript([]).run {
            let started = OneShot<Void>()
            let goOn = OneShot<Void>()
            let tool = LLMTool(definition: LLMToolDefinition(name: "wait", description: "Waits.")) { _ in
                started.resolve(())
                await goOn.value()
                return .null
            }
            let request = LLMToolGenerationRequest(prompt: "Go", tools: [tool], maximumConcurrentToolCalls: 1)
            let prepared = try PreparedGeneration(
                request.messages, options: request.options, offer: try request.checkedOffer(),
                configuration: AppleIntelligenceConfiguration())
            let told = Locked<[String]>([])
            let gateway = ToolGateway(request, prepared: prepared, clock: ContinuousClock()) { event in
                switch event {
                case .toolCallStarted(let call): told.withLock { $0.append("start \(call.id)") }
                case .toolCallFailed(let output): told.withLock { $0.append("fail \(output.callID)") }
                case .toolRoundStarted: break
                default: told.withLock { $0.append("other") }
                }
            }
            let first = Task { try await gateway.answer("wait", [:]) }
            await started.value()
            let second = Task { try await gateway.answer("wait", [:]) }
            while await gateway.calls.count < 2 { await Task.yield() }
            await gateway.finish()
            goOn.resolve(())
            await #expect(throws: CancellationError.self) { try await first.value }
            await #expect(throws: CancellationError.self) { try await second.value }
            #expect(told.withLock { $0 } == ["start call_1", "fail call_1", "start call_2", "fail call_2"])
            #expect(await gateway.outputs.map(\.callID) == ["call_1", "call_2"])
            #expect(await gateway.messages.count == 3)
        }
    }

    @Test("TL-6: a call that waits for its turn can be cancelled, and others get it")
    func permits() async throws {
        let permits = CallPermits(1)
        try await permits.acquire()
        let cancelled = Task { try await permits.acquire() }
        while permits.waitingCount < 1 { await Task.yield() }
        let other = Task { try await permits.acquire() }
        while permits.waitingCount < 2 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(permits.waitingCount == 1)
        permits.release()
        try await other.value
        permits.release()
        try await permits.acquire()
    }
}
