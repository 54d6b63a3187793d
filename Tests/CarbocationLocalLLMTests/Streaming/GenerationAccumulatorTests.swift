import CarbocationLocalLLM
import Testing

@Suite("GenerationAccumulator")
struct GenerationAccumulatorTests {
    @Test("EV-7, EV-10: a success in its order, with byte counts")
    func success() {
        var events: [LLMGenerationStreamEvent] = []
        var accumulator = GenerationAccumulator()
        accumulator.begin { events.append($0) }
        accumulator.countToken(after: 0.25) { events.append($0) }
        accumulator.append("") { events.append($0) }
        accumulator.countToken(after: 0.5) { events.append($0) }
        accumulator.append("é") { events.append($0) }
        accumulator.countToken(after: 0.75) { events.append($0) }
        accumulator.append("!?") { events.append($0) }
        let acceleration = LLMGenerationAccelerationStats(status: .unsupported, accelerator: "none")
        let summary = GenerationAccumulator.Summary(
            stopReason: .stopSequence, promptTokens: 10, cachedPromptTokens: 4, templateMode: .embedded, seed: 42,
            accelerationStats: acceleration, duration: 2)
        accumulator.complete(summary) { events.append($0) }

        let result = LLMGenerationResult(
            finalText: "é!?", phaseSegments: [LLMGenerationPhaseSegment(phase: .final, text: "é!?")],
            stopReason: .stopSequence, promptTokens: 10, cachedPromptTokens: 4, generatedTokens: 3,
            templateMode: .embedded, seed: 42, accelerationStats: acceleration, rawGeneratedText: "é!?")
        let expected: [LLMGenerationStreamEvent] = [
            .requestSent(phase: .unknown),
            .firstByteReceived(after: 0.25, phase: .unknown),
            .phaseChanged(from: .unknown, to: .final),
            .tokenChunk(preview: "é", bytesSoFar: 2, phase: .final),
            .contentDelta(phase: .final, text: "é", bytesSoFar: 2),
            .tokenChunk(preview: "!?", bytesSoFar: 4, phase: .final),
            .contentDelta(phase: .final, text: "!?", bytesSoFar: 4),
            .accelerationStats(acceleration),
            .generationStats(
                promptTokens: 10, generatedTokens: 3, stopReason: .stopSequence, templateMode: .embedded,
                phase: .final),
            .done(totalBytes: 4, duration: 2, phase: .final),
            .completed(result),
        ]
        #expect(texts(events) == texts(expected))
    }

    @Test("EV-7: a turn that ends at once has neither first byte nor content")
    func emptyTurn() {
        var events: [LLMGenerationStreamEvent] = []
        let accumulator = GenerationAccumulator()
        accumulator.begin { events.append($0) }
        accumulator.complete(.init(stopReason: .complete, promptTokens: 3, duration: 1)) { events.append($0) }
        let result = LLMGenerationResult(promptTokens: 3, rawGeneratedText: "")
        let expected: [LLMGenerationStreamEvent] = [
            .requestSent(phase: .unknown),
            .generationStats(
                promptTokens: 3, generatedTokens: 0, stopReason: .complete, templateMode: .unavailable,
                phase: .unknown),
            .done(totalBytes: 0, duration: 1, phase: .unknown),
            .completed(result),
        ]
        #expect(texts(events) == texts(expected))
    }

    @Test("EV-4: a cancelled run ends with its statistics; without a prompt there are none")
    func interrupted() {
        var events: [LLMGenerationStreamEvent] = []
        var accumulator = GenerationAccumulator()
        accumulator.countToken(after: 1) { _ in }
        accumulator.append("held") { events.append($0) }
        accumulator.interrupt(promptTokens: nil) { events.append($0) }
        #expect(events.count == 3)
        accumulator.interrupt(promptTokens: 8, templateMode: .embedded) { events.append($0) }
        let expected = LLMGenerationStreamEvent.generationStats(
            promptTokens: 8, generatedTokens: 1, stopReason: .cancelled, templateMode: .embedded, phase: .final)
        #expect(texts(events.suffix(1)) == texts([expected]))
    }

    @Test("EV-9, EV-10: folding the events gives the texts of the result, previews its raw text")
    func folding() throws {
        var events: [LLMGenerationStreamEvent] = []
        let emit: (LLMGenerationStreamEvent) -> Void = { events.append($0) }
        var accumulator = GenerationAccumulator()
        accumulator.enter(.thinking, emit: emit)
        accumulator.appendRaw("<think>a</think><think>é</think>{x", emit: emit)
        accumulator.appendContent("a", to: .thinking, emit: emit)
        accumulator.endSegment()
        accumulator.appendContent("é", to: .thinking, emit: emit)
        accumulator.appendContent("{x", to: .final, emit: emit)
        accumulator.replaceContent(of: .final, with: "{", reason: .streamCorrection, emit: emit)
        accumulator.appendRaw("}", emit: emit)
        accumulator.appendContent("}", to: .final, emit: emit)
        accumulator.complete(.init(stopReason: .jsonComplete, promptTokens: 1, duration: 0), emit: emit)

        let fold = Fold(events)
        let result = try #require(fold.result)
        #expect(fold.texts[.thinking] == "a\né")
        #expect(result.thinkingText == "a\né")
        #expect(fold.texts[.final] == "{}")
        #expect(result.finalText == "{}")
        #expect(result.phaseSegments.map(\.text) == ["a", "é", "{}"])
        #expect(fold.preview == result.rawGeneratedText)
        #expect(fold.totalBytes == fold.preview.utf8.count)
        #expect(fold.countsAreRight)
        #expect(fold.phasesAreAnnounced)
    }

    @Test("RS-3: logprobs are kept only when they were requested", arguments: [true, false])
    func logprobs(isRequested: Bool) throws {
        let token = LLMTokenLogprobs(
            chosen: LLMTokenLogprobs.Candidate(token: 1, text: "a", bytes: [0x61], logprob: -1), top: [])
        var events: [LLMGenerationStreamEvent] = []
        var accumulator = GenerationAccumulator(collectsLogprobs: isRequested)
        accumulator.append(token) { events.append($0) }
        #expect(events.count == (isRequested ? 1 : 0))
        accumulator.complete(.init(stopReason: .complete, promptTokens: 1, duration: 0)) { events.append($0) }
        #expect(try #require(Fold(events).result).logprobs == (isRequested ? [token] : nil))
    }
}

/// What a client makes of the events.
private struct Fold {
    var texts: [LLMStreamContentPhase: String] = [:]
    var preview = ""
    var totalBytes: Int?
    var result: LLMGenerationResult?
    var countsAreRight = true
    var phasesAreAnnounced = true
    private var phase = LLMStreamContentPhase.unknown

    init(_ events: [LLMGenerationStreamEvent]) {
        for event in events { add(event) }
    }

    private mutating func add(_ event: LLMGenerationStreamEvent) {
        switch event {
        case .phaseChanged(let from, let to):
            phasesAreAnnounced = phasesAreAnnounced && from == phase
            phase = to
        case .tokenChunk(let text, let bytesSoFar, let chunkPhase):
            preview += text
            countsAreRight = countsAreRight && preview.utf8.count == bytesSoFar
            phasesAreAnnounced = phasesAreAnnounced && chunkPhase == phase
        case .contentDelta(let contentPhase, let text, let bytesSoFar):
            texts[contentPhase, default: ""] += text
            countsAreRight = countsAreRight && texts[contentPhase]?.utf8.count == bytesSoFar
            phasesAreAnnounced = phasesAreAnnounced && contentPhase == phase
        case .contentSnapshot(let contentPhase, let text, let bytesSoFar, _):
            texts[contentPhase] = text
            countsAreRight = countsAreRight && text.utf8.count == bytesSoFar
            phasesAreAnnounced = phasesAreAnnounced && contentPhase == phase
        case .done(let bytes, _, _): totalBytes = bytes
        case .completed(let completed): result = completed
        case .requestSent, .firstByteReceived, .generationStats, .tokenLogprobs, .accelerationStats, .diagnostic:
            break
        }
    }
}
