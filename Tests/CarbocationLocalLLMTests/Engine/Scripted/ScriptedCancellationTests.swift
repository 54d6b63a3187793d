import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("ScriptedLLMEngine, cancellation", .timeLimit(.minutes(10)))
struct ScriptedCancellationTests {
    private struct Failure: Error {}

    @Test("EV-4: a cancellation in a delay gives what was held, the statistics and CancellationError")
    func inDelay() async {
        let clock = ManualClock()
        let engine = ScriptedLLMEngine(
            script: [[.thinking("Hm"), .text("Hello ST"), .delay(.seconds(5)), .text("never")]], clock: clock)
        let reading = Task { await engine.transcript(GenerationOptions(stopSequences: ["STOP"])) }
        await clock.sleeping()
        reading.cancel()
        let transcript = await reading.value
        #expect(transcript.error is CancellationError)
        #expect(transcript.folded == [.thinking: "Hm", .final: "Hello ST"])
        guard case .generationStats(2, 2, .cancelled, .unavailable, .final) = transcript.events.last else {
            Issue.record("the statistics are not last: \(transcript.events)")
            return
        }
        #expect(clock.sleeperCount == 0)
    }

    @Test("EV-4: a cancellation at any moment gives just the text until then", arguments: 0..<6)
    func atAnyMoment(cancelledDelay: Int) async {
        let clock = ManualClock()
        let turn = (0..<6).flatMap { number -> [ScriptedLLMEngine.Step] in
            [.delay(.seconds(1)), number < 3 ? .thinking("\(number)") : .text("\(number)")]
        }
        let engine = ScriptedLLMEngine(script: [turn], clock: clock)
        let reading = Task { await engine.transcript() }
        for _ in 0..<cancelledDelay {
            await clock.sleeping()
            clock.advance(by: .seconds(1))
        }
        await clock.sleeping()
        reading.cancel()
        let transcript = await reading.value
        #expect(transcript.error is CancellationError)
        #expect(transcript.rawText == (0..<cancelledDelay).map(String.init).joined())
        #expect(transcript.statistics?.tokens == cancelledDelay)
        #expect(transcript.statistics?.reason == .cancelled)
        #expect(transcript.result == nil)
    }

    @Test("EV-3: leaving the loop cancels the generation")
    func leavingTheLoop() async throws {
        let stopped = Gate()
        let engine = ScriptedLLMEngine { _ in
            await Gate.passOnCancellation()
            stopped.open()
            return [.text("never")]
        }
        for try await _ in engine.stream(LLMGenerationRequest(prompt: "a")) { break }
        await stopped.pass()
    }

    @Test("EV-3: a closure that takes no notice of a cancellation does not hold it up")
    func stubbornClosure() async {
        let asked = Gate()
        let proceed = Gate()
        let engine = ScriptedLLMEngine { _ in
            asked.open()
            await proceed.pass()
            return [.text("never")]
        }
        let reading = Task { await engine.transcript() }
        await asked.pass()
        reading.cancel()
        let transcript = await reading.value
        #expect(transcript.error is CancellationError)
        #expect(transcript.statistics?.reason == .cancelled)
        proceed.open()
    }

    @Test("EV-4: a failure of a cancelled generation is a cancellation")
    func failureAfterCancellation() async {
        let engine = ScriptedLLMEngine { _ in
            await Gate.passOnCancellation()
            throw Failure()
        }
        let reading = Task {
            var transcript: [String] = []
            do {
                for try await event in engine.stream(LLMGenerationRequest(prompt: "a")) {
                    transcript.append(String(describing: event))
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return false
            } catch {
                return error is CancellationError && transcript.last?.contains("cancelled") == true
            }
        }
        #expect(await reading.value)
    }

    @Test("a scripted CancellationError is told as a cancellation")
    func scripted() async {
        let transcript = await ScriptedLLMEngine(script: [[.text("a"), .fail(CancellationError())]]).transcript()
        #expect(transcript.error is CancellationError)
        #expect(transcript.statistics?.reason == .cancelled)
    }

    @Test("delays that are negative or endless do no harm")
    func extremeDelays() async throws {
        #expect(try await ScriptedLLMEngine.result(of: [.delay(.seconds(-5)), .text("a")]).finalText == "a")
        let engine = ScriptedLLMEngine(script: [[.text("a"), .delay(.seconds(Int64.max)), .text("b")]])
        let firstDelta = Gate()
        let reading = Task {
            for try await event in engine.stream(LLMGenerationRequest(prompt: "a")) {
                if case .contentDelta = event { firstDelta.open() }
            }
        }
        await firstDelta.pass()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test("a cancelled generation has taken its turn, and others go on")
    func others() async throws {
        let clock = ManualClock()
        let engine = ScriptedLLMEngine(script: [[.delay(.seconds(1)), .text("one")], [.text("two")]], clock: clock)
        let reading = Task { await engine.transcript() }
        await clock.sleeping()
        #expect(try await engine.generate(system: "", prompt: "a") { _ in } == "two")
        reading.cancel()
        #expect(await reading.value.error is CancellationError)
        #expect(await engine.transcript().error as? LLMEngineError == .noModelLoaded)
    }
}
