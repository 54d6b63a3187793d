import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("ScriptedLLMEngine, events", .timeLimit(.minutes(10)))
struct ScriptedEventTests {
    private static let think = OutputDelimiterPair(open: "<think>", close: "</think>")

    @Test("EV-7, EV-9, EV-10: the events of a turn, and the same ones the second time")
    func order() async {
        let turn: [ScriptedLLMEngine.Step] = [.thinking("Hm"), .text("Hé"), .text("!")]
        let engine = ScriptedLLMEngine(script: [turn], repeatsLastTurn: true, clock: ManualClock())
        let result = LLMGenerationResult(
            thinkingText: "Hm", finalText: "Hé!",
            phaseSegments: [
                LLMGenerationPhaseSegment(phase: .thinking, text: "Hm"),
                LLMGenerationPhaseSegment(phase: .final, text: "Hé!"),
            ], stopReason: .complete, promptTokens: 2, generatedTokens: 3, rawGeneratedText: "HmHé!")
        let expected: [LLMGenerationStreamEvent] = [
            .requestSent(phase: .unknown), .firstByteReceived(after: 0, phase: .unknown),
            .phaseChanged(from: .unknown, to: .thinking), .tokenChunk(preview: "Hm", bytesSoFar: 2, phase: .thinking),
            .contentDelta(phase: .thinking, text: "Hm", bytesSoFar: 2), .phaseChanged(from: .thinking, to: .final),
            .tokenChunk(preview: "Hé", bytesSoFar: 5, phase: .final),
            .contentDelta(phase: .final, text: "Hé", bytesSoFar: 3),
            .tokenChunk(preview: "!", bytesSoFar: 6, phase: .final),
            .contentDelta(phase: .final, text: "!", bytesSoFar: 4),
            .generationStats(
                promptTokens: 2, generatedTokens: 3, stopReason: .complete, templateMode: .unavailable, phase: .final),
            .done(totalBytes: 6, duration: 0, phase: .final), .completed(result),
        ]
        for _ in 0..<2 {
            let transcript = await engine.transcript()
            #expect(texts(transcript.events) == texts(expected))
            #expect(transcript.error == nil)
        }
    }

    @Test("EV-7: times are those of the clock")
    func times() async throws {
        let clock = ManualClock()
        let engine = ScriptedLLMEngine(
            script: [[.delay(.milliseconds(1500)), .text("a"), .delay(.seconds(2)), .text("b")]], clock: clock)
        let reading = Task { await engine.transcript() }
        await clock.sleeping()
        clock.advance(by: .milliseconds(1500))
        await clock.sleeping()
        clock.advance(by: .seconds(2))
        let transcript = await reading.value
        #expect(transcript.result?.finalText == "ab")
        let times = transcript.events.compactMap { event in
            switch event {
            case .firstByteReceived(let after, _): after
            case .done(_, let duration, _): duration
            default: nil
            }
        }
        #expect(times == [1.5, 3.5])
    }

    @Test("EV-2: a stream does nothing until it is read, and each iterator is a generation of its own")
    func cold() async throws {
        let engine = ScriptedLLMEngine(script: [[.text("one")], [.text("two")], [.text("three")]])
        let stream = engine.stream(LLMGenerationRequest(prompt: "a"))
        _ = stream.makeAsyncIterator()
        #expect(await engine.receivedRequests.isEmpty)
        #expect(try await engine.stream(LLMGenerationRequest(prompt: "b")).result().finalText == "one")
        #expect(try await stream.result().finalText == "two")
        #expect(try await stream.result().finalText == "three")
        #expect(await engine.receivedRequests.map { $0.messages.last?.content } == ["b", "a", "a"])
    }

    @Test("EV-5: a slow reader loses nothing")
    func slowReader() async throws {
        let engine = ScriptedLLMEngine(script: [(0..<300).map { .text("\($0) ") }])
        var texts: [String] = []
        for try await event in engine.stream(LLMGenerationRequest(prompt: "a")) {
            if case .contentDelta(.final, let text, _) = event { texts.append(text) }
            await Task.yield()
        }
        #expect(texts == (0..<300).map { "\($0) " })
    }

    @Test("RS-1: blocks of thinking between texts are segments of their own")
    func segments() async throws {
        let result = try await ScriptedLLMEngine.result(of: [
            .thinking("a"), .thinking("b"), .text("c"), .thinking("d"), .text("e"), .text("f"),
        ])
        #expect(result.phaseSegments.map(\.text) == ["ab", "c", "d", "ef"])
        #expect(result.phaseSegments.map(\.phase) == [.thinking, .final, .thinking, .final])
        #expect(result.thinkingText == "ab\nd")
        #expect(result.finalText == "c\nef")
    }

    @Test("EV-8: only what may become a stop is held")
    func held() async {
        let engine = ScriptedLLMEngine(
            script: [[.text("quick "), .text("bro"), .text("wn f"), .text("ox"), .text(" jumps")]])
        let transcript = await engine.transcript(GenerationOptions(stopSequences: ["brown fox"]))
        #expect(transcript.previews == ["quick "])
        #expect(transcript.result?.stopReason == .stopSequence)
        #expect(transcript.result?.generatedTokens == 4)
        let other = ScriptedLLMEngine(script: [[.text("one "), .text("END"), .text(".")]])
        let released = await other.transcript(GenerationOptions(stopSequences: ["END\nXX"]))
        #expect(released.previews == ["one ", "END."])
    }

    struct Stopping: Sendable, CustomTestStringConvertible {
        var turn: [ScriptedLLMEngine.Step]
        var stops: [String]
        var thinking = ""
        var text: String
        var reason: LLMStopReason
        var testDescription: String { "\(turn.count) steps, \(stops)" }
    }

    @Test(
        "FE-2: stop sequences end the turn",
        arguments: [
            Stopping(
                turn: [.text("alpha STOP beta END")], stops: ["END", "STOP"], text: "alpha ", reason: .stopSequence),
            Stopping(turn: [.text("Mars"), .text("?\n")], stops: ["\n"], text: "Mars?", reason: .stopSequence),
            Stopping(turn: [.text("ple"), .text("as")], stops: ["as!"], text: "pleas", reason: .complete),
            Stopping(turn: [.text("a"), .text("b")], stops: [""], text: "ab", reason: .complete),
            Stopping(
                turn: [.thinking("x ST"), .thinking("OP y"), .text("z")], stops: ["STOP"], thinking: "x ", text: "",
                reason: .stopSequence),
            Stopping(
                turn: [.thinking("x ST"), .text("OP y")], stops: ["STOP"], thinking: "x ST", text: "OP y",
                reason: .complete),
            Stopping(
                turn: [.text("a"), .stop("stop-sequence"), .text("b")], stops: [], text: "a", reason: .stopSequence),
            Stopping(turn: [.text("a"), .stop("of-its-own")], stops: [], text: "a", reason: "of-its-own"),
        ])
    func stops(_ stopping: Stopping) async throws {
        let result = try await ScriptedLLMEngine.result(
            of: stopping.turn, GenerationOptions(stopSequences: stopping.stops))
        #expect(result.thinkingText == stopping.thinking)
        #expect(result.finalText == stopping.text)
        #expect(result.stopReason == stopping.reason)
        #expect(result.rawGeneratedText == stopping.thinking + stopping.text)
    }

    struct JSONCase: Sendable {
        var chunks: [String]
        var text: String
        var reason: LLMStopReason
    }

    @Test(
        "JB-3: balanced JSON ends the turn",
        arguments: [
            JSONCase(chunks: ["pre {\"a\"", ":1} trailing", "more"], text: "{\"a\":1}", reason: .jsonComplete),
            JSONCase(chunks: ["text {bad] ", "{\"x\":1}"], text: "{\"x\":1}", reason: .jsonComplete),
            JSONCase(chunks: ["see [1]", " for more"], text: "[1]", reason: .complete),
            JSONCase(chunks: ["{\"t\":", "\"x } y"], text: "{\"t\":\"x } y", reason: .complete),
        ])
    func json(_ json: JSONCase) async throws {
        let engine = ScriptedLLMEngine(script: [[.thinking("{}")] + json.chunks.map { .text($0) }])
        let transcript = await engine.transcript(GenerationOptions(stopAtBalancedJSON: true))
        #expect(transcript.result?.finalText == json.text)
        #expect(transcript.result?.thinkingText == "{}")
        #expect(transcript.result?.stopReason == json.reason)
        #expect(transcript.folded[.final] == json.text)
    }

    @Test("EV-14, FE-2: the limit counts chunks, and the requested one wins a tie with the context")
    func limits() async throws {
        let turn: [ScriptedLLMEngine.Step] = [.thinking("a"), .text("bcd"), .text("e"), .fail(CancellationError())]
        let limited = try await ScriptedLLMEngine.result(of: turn, GenerationOptions(maxOutputTokens: 2))
        #expect(limited.finalText == "bcd")
        #expect(limited.stopReason == .maxTokens)
        #expect(limited.generatedTokens == 2)
        let thinking = try await ScriptedLLMEngine.result(of: turn, GenerationOptions(maxOutputTokens: 1))
        #expect(thinking.thinkingText == "a")
        #expect(thinking.finalText.isEmpty)
        #expect(thinking.stopReason == .maxTokens)
        // The prompt is 2 tokens.
        let small = ScriptedLLMEngine(contextSize: 5, script: [turn], repeatsLastTurn: true)
        let full = await small.transcript()
        #expect(full.result?.stopReason == .contextFull)
        #expect(full.result?.generatedTokens == 3)
        #expect(await small.transcript(GenerationOptions(maxOutputTokens: 3)).result?.stopReason == .maxTokens)
        #expect(await small.transcript(GenerationOptions(maxOutputTokens: 9)).result?.stopReason == .contextFull)
        #expect(await small.transcript(GenerationOptions(maxOutputTokens: 0)).result?.stopReason == .contextFull)
    }

    @Test("TH: markers of the request tell the phases of text steps", arguments: "<think>plan</think>\n4!".chunkings())
    func markers(chunks: [Substring]) async throws {
        let options = GenerationOptions(
            streamPhaseConfiguration: LLMStreamPhaseConfiguration(thinkingPairs: [Self.think]))
        let result = try await ScriptedLLMEngine.result(of: chunks.map { .text(String($0)) }, options)
        #expect(result.thinkingText == "plan")
        #expect(result.finalText == "4!")
        #expect(result.rawGeneratedText == "<think>plan</think>\n4!")
    }

    @Test("TH: markers and thinking steps get along")
    func markersAndSteps() async throws {
        var configuration = LLMStreamPhaseConfiguration(thinkingPairs: [Self.think])
        let turn: [ScriptedLLMEngine.Step] = [
            .thinking("a<think>"), .text("<think>b</think>c"), .thinking(" d "), .text(" <think>e"),
        ]
        let result = try await ScriptedLLMEngine.result(
            of: turn, GenerationOptions(streamPhaseConfiguration: configuration))
        #expect(result.thinkingText == "a<think>\nb\n d \ne")
        #expect(result.finalText == "c")
        configuration.startsInThinking = true
        let started = try await ScriptedLLMEngine.result(
            of: [.text("plan</think>"), .text("4")], GenerationOptions(streamPhaseConfiguration: configuration))
        #expect(started.thinkingText == "plan")
        #expect(started.finalText == "4")
        let verbatim = try await ScriptedLLMEngine.result(of: [.text("<think>x</think>")])
        #expect(verbatim.finalText == "<think>x</think>")
    }

    @Test("SM-5: a stop that is also an awaited marker is no stop")
    func stopThatIsAMarker() async throws {
        let options = GenerationOptions(
            stopSequences: ["</think>"],
            streamPhaseConfiguration: LLMStreamPhaseConfiguration(thinkingPairs: [Self.think]))
        let result = try await ScriptedLLMEngine.result(
            of: [.text("<think>a</thi"), .text("nk>b</think>c")], options)
        #expect(result.thinkingText == "a")
        #expect(result.finalText == "b")
        #expect(result.stopReason == .stopSequence)
    }

    @Test("EV-11: the closure forms see adapted events")
    func closures() async throws {
        let engine = ScriptedLLMEngine(script: [[.thinking("Hm"), .text("a"), .text("b")]])
        let deltas = Locked<[String]>([])
        _ = try await engine.generate(
            system: "", prompt: "a",
            onPhaseAwareEvent: { event in
                if case .finalAnswerDelta(let text, _) = event { deltas.withLock { $0.append(text) } }
            })
        #expect(deltas.withLock { $0 } == ["a", "b"])
    }
}
