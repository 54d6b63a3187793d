import AppleIntelligenceWithStubs
import CarbocationLocalLLM
import FoundationModels
import TestSupport
import Testing

@Suite("Texts of the system's model", .timeLimit(.minutes(10)))
struct StreamTests {
    private let engine = AppleIntelligenceEngine.quiet

    @Test("EV-7: the events of an answer, in order")
    func order() async {
        let script = StubScript([[.snapshot("Hel"), .snapshot("Hello"), .snapshot("Hello"), .snapshot("Hello there")]])
        let log = await script.run { await engine.log("Hi", system: "Be kind.") }
        #expect(
            log.lines == [
                "sent unknown", "first unknown", "unknown to final", "chunk Hel 3", "final Hel 3", "chunk lo 5",
                "final lo 5", "chunk  there 11", "final  there 11", "stats 4 4 complete unavailable", "done 11",
                "completed",
            ])
        #expect(log.error == nil)
        #expect(log.result?.finalText == "Hello there")
        #expect(log.result?.thinkingText == "")
        #expect(log.result?.seed == nil)
        #expect(log.result?.logprobs == nil)
        #expect(script.requests.map(\.prompt) == ["Hi"])
        #expect(script.requests.map(\.transcript) == [["instructions: Be kind."]])
    }

    @Test("AI-5: however a text is cut into snapshots, the answer is the same")
    func chunkings() async {
        for text in ["Héllo 👩‍👩‍👧 wörld\r\n", "e\u{301}\u{301}x"] {
            for pieces in text.unicodeScalars.map({ String($0) }).chunkings() {
                let script = StubScript([StubScript.snapshots(pieces.map { Substring($0.joined()) })])
                let log = await script.run { await engine.log("Hi") }
                #expect(log.folded == text)
                #expect(log.result?.finalText == text)
                #expect(log.result?.rawGeneratedText == text)
            }
        }
    }

    @Test("AI-5: a snapshot that does not extend the one before corrects the answer")
    func correction() async {
        let script = StubScript([[.snapshot("I thnk"), .snapshot("I think"), .snapshot("I think so")]])
        let log = await script.run { await engine.log("Hi") }
        #expect(log.lines.contains("stream-correction I think 7"))
        #expect(log.folded == "I think so")
        #expect(log.result?.finalText == "I think so")
        #expect(log.rawText == log.result?.rawGeneratedText)
        #expect(log.lines.contains("done \(log.rawText.utf8.count)"))
    }

    @Test("AI-5: a shorter snapshot takes text back")
    func shorter() async {
        let script = StubScript([[.snapshot("Hello you"), .snapshot("Hello"), .snapshot("")]])
        let log = await script.run { await engine.log("Hi") }
        #expect(log.folded == "")
        #expect(log.result?.finalText == "")
    }

    @Test(
        "AI-5: a null before any text is none",
        arguments: [
            (["null", "Yes"], "Yes"), (["null"], ""), (["null", "null and void"], "null and void"),
            (["nul", "null"], "null"),
        ])
    func null(snapshots: [String], text: String) async {
        let script = StubScript([snapshots.map { .snapshot($0) }])
        let log = await script.run { await engine.log("Hi") }
        #expect(log.result?.finalText == text)
        #expect(log.error == nil)
    }

    @Test("AI-5: a stream without snapshots is an empty answer")
    func nothing() async {
        let log = await StubScript([[]]).run { await engine.log("Hi") }
        #expect(
            log.lines == ["sent unknown", "unknown to final", "stats 1 0 complete unavailable", "done 0", "completed"])
    }

    @Test("AI-7: a refusal as text is text")
    func refusal() async {
        let log = await StubScript.answers("Sorry, I can't help with that.").run { await engine.log("Hi") }
        #expect(log.result?.finalText == "Sorry, I can't help with that.")
    }

    @Test("AI-3: the options arrive, and what is unsupported is said once")
    func options() async {
        let script = StubScript.answers("ok")
        let options = Options(temperature: 0.5, topP: 0.7, topK: 12, minP: 0.1, maxOutputTokens: 64, seed: 9)
        let log = await script.run { await engine.log("Hi", options) }
        #expect(
            log.diagnostics == [
                "diagnostic the system's model does not know these options, they are ignored: "
                    + "minP, combinedSamplingFilters"
            ])
        #expect(
            script.requests.map(\.options) == [
                FoundationModels.GenerationOptions(
                    sampling: .random(top: 12, seed: 9), temperature: 0.5, maximumResponseTokens: 64)
            ])
    }

    @Test("AI-3: unsupported options fail where the configuration says so")
    func strict() async {
        let strict = AppleIntelligenceEngine(
            configuration: AppleIntelligenceConfiguration(heartbeatInterval: 0, failsOnUnsupportedOptions: true))
        let script = StubScript.answers("ok", "ok")
        let log = await script.run { await strict.log("Hi", Options(minP: 0.1, repetitionPenalty: 1.3)) }
        let expected = LLMEngineError.invalidOptions("the system's model does not know minP, repetitionPenalty")
        #expect(log.error as? LLMEngineError == expected)
        #expect(log.lines.isEmpty)
        let fine = await script.run { await strict.log("Hi", .extractionSafe) }
        #expect(fine.result?.finalText == "ok")
        #expect(script.requests.count == 1)
    }

    @Test("EV-12: as long as there is no sign of the model, it is said")
    func heartbeat() async {
        let clock = ManualClock()
        let goOn = OneShot<Void>()
        let engine = AppleIntelligenceEngine(
            configuration: AppleIntelligenceConfiguration(heartbeatInterval: 2), clock: clock)
        let script = StubScript([[.perform { await goOn.value() }, .snapshot("ok")]])
        let log = await script.run {
            let time = Task {
                await clock.sleeping()
                clock.advance(by: .seconds(2))
                await clock.sleeping()
                clock.advance(by: .seconds(2))
            }
            return await EventLog.of(engine.stream(LLMGenerationRequest(prompt: "Hi"))) { event in
                if case .diagnostic(let message) = event, message.hasPrefix("no output after 4 s") { goOn.resolve(()) }
                _ = time
            }
        }
        #expect(log.diagnostics.count == 2)
        #expect(log.result?.finalText == "ok")
    }

    @Test("RS-5: a control counts while a generation runs, and does nothing else")
    func control() async {
        let control = LLMGenerationControl()
        let requested = Locked<[Bool]>([])
        let script = StubScript([
            [
                .perform { requested.withLock { $0.append(control.requestThinkingTermination(message: "Stop.")) } },
                .snapshot("ok"),
            ]
        ])
        #expect(!control.requestThinkingTermination())
        let log = await script.run {
            await EventLog.of(engine.stream(LLMGenerationRequest(prompt: "Hi", control: control)))
        }
        #expect(requested.withLock { $0 } == [true])
        #expect(log.result?.finalText == "ok")
        #expect(control.thinkingTerminationRequestCount == 0)
    }
}
