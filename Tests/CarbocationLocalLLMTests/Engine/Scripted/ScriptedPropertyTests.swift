import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("ScriptedLLMEngine, properties", .timeLimit(.minutes(10)))
struct ScriptedPropertyTests {
    private typealias Step = ScriptedLLMEngine.Step

    private static let pieces = [
        "a", "b ", "é", "😀", "", " ", "\n", "STOP", "ST", "OP", "<think>", "</think>", "<th", "ink>", "{\"a\":", "1}",
        "[1]", "{bad", "}", "<final>",
    ]

    private static func turn(seed: UInt64) -> [Step] {
        var random = SeededGenerator(seed: seed)
        return (0..<Int.random(in: 0...24, using: &random)).map { _ in
            let piece = pieces.randomElement(using: &random) ?? ""
            return switch Int.random(in: 0..<20, using: &random) {
            case 0..<5: .thinking(piece)
            case 5: .toolCall(name: "add", arguments: [:])
            case 6: .delay(.zero)
            default: .text(piece)
            }
        }
    }

    private static func options(seed: UInt64) -> GenerationOptions {
        var random = SeededGenerator(seed: seed &+ 1_000_000)
        var options = GenerationOptions(stopAtBalancedJSON: Int.random(in: 0..<3, using: &random) == 0)
        if Bool.random(using: &random) { options.stopSequences = ["STOP", "STOP it", "</think>"] }
        if Bool.random(using: &random) {
            options.streamPhaseConfiguration.thinkingPairs = [OutputDelimiterPair(open: "<think>", close: "</think>")]
        }
        if Int.random(in: 0..<4, using: &random) == 0 { options.streamPhaseConfiguration.finalMarkers = ["<final>"] }
        if Int.random(in: 0..<4, using: &random) == 0 { options.streamPhaseConfiguration.startsInThinking = true }
        if Bool.random(using: &random) { options.maxOutputTokens = Int.random(in: 1...12, using: &random) }
        if Bool.random(using: &random) {
            options.enableThinking = true
            options.thinkingBudgetTokens = Int.random(in: 0...3, using: &random)
            options.thinkingBudgetMessage = Bool.random(using: &random) ? "" : "Enough."
        }
        return options
    }

    @Test("EV-7, EV-9, EV-10: events fold to the result, for any script", arguments: 0..<40)
    func folding(block: Int) async throws {
        for seed in UInt64(block * 25)..<UInt64(block * 25 + 25) {
            let engine = ScriptedLLMEngine(script: [Self.turn(seed: seed)], repeatsLastTurn: true, clock: ManualClock())
            let options = Self.options(seed: seed)
            let transcript = await engine.transcript(options)
            let result = try #require(transcript.result, "seed \(seed)")
            #expect(transcript.folded[.thinking, default: ""] == result.thinkingText, "seed \(seed)")
            #expect(transcript.folded[.final, default: ""] == result.finalText, "seed \(seed)")
            #expect(transcript.folded[.unknown] == nil)
            #expect(transcript.rawText == result.rawGeneratedText, "seed \(seed)")
            #expect(result.generatedTokens <= options.maxOutputTokens ?? .max)
            #expect(transcript.statistics?.tokens == result.generatedTokens)
            #expect(transcript.statistics?.reason == result.stopReason)
            checkOrder(transcript.events, seed: seed)
            #expect(await texts(engine.transcript(options).events) == texts(transcript.events), "seed \(seed)")
        }
    }

    /// The events come in their order, and each count of bytes is that of the text so far.
    private func checkOrder(_ events: [LLMGenerationStreamEvent], seed: UInt64) {
        var phase = LLMStreamContentPhase.unknown
        var bytes: [LLMStreamContentPhase: Int] = [:]
        var raw = 0
        var hasFirst = false
        for event in events {
            switch event {
            case .firstByteReceived: hasFirst = true
            case .phaseChanged(let from, let to):
                #expect(from == phase && to != from, "seed \(seed)")
                phase = to
            case .tokenChunk(let preview, let count, let chunkPhase):
                raw += preview.utf8.count
                #expect(count == raw && chunkPhase == phase && hasFirst && !preview.isEmpty, "seed \(seed)")
            case .contentDelta(let deltaPhase, let text, let count):
                bytes[deltaPhase, default: 0] += text.utf8.count
                #expect(count == bytes[deltaPhase] && deltaPhase == phase && hasFirst, "seed \(seed)")
            case .contentSnapshot(let snapshotPhase, let text, let count, _):
                bytes[snapshotPhase] = text.utf8.count
                #expect(count == text.utf8.count, "seed \(seed)")
            case .done(let total, _, let donePhase):
                #expect(total == raw && donePhase == phase, "seed \(seed)")
            default: break
            }
        }
        let ends = events.suffix(3).map { String(describing: $0).prefix { $0 != "(" } }
        #expect(ends == ["generationStats", "done", "completed"], "seed \(seed)")
    }

    @Test("RS-1: without stops, JSON and markers, texts are those of the steps", arguments: 0..<200)
    func plainTexts(seed: Int) async throws {
        let turn = Self.turn(seed: UInt64(seed))
        var segments: [LLMGenerationPhaseSegment] = []
        var chunks = 0
        for step in turn {
            let (phase, text): (LLMStreamContentPhase, String)
            switch step {
            case .text(let written): (phase, text) = (.final, written)
            case .thinking(let thought): (phase, text) = (.thinking, thought)
            default: continue
            }
            chunks += 1
            if segments.last?.phase != phase { segments.append(LLMGenerationPhaseSegment(phase: phase, text: "")) }
            segments[segments.count - 1].text += text
        }
        segments.removeAll { $0.text.isEmpty }
        let result = try await ScriptedLLMEngine.result(of: turn)
        #expect(result.phaseSegments == segments)
        #expect(result.finalText == segments.filter { $0.phase == .final }.map(\.text).joined(separator: "\n"))
        #expect(result.generatedTokens == chunks)
    }

    @Test("FE-2: text goes through what a model's output goes through", arguments: 0..<300)
    func sameAsModels(seed: Int) async throws {
        let chunks = Self.turn(seed: UInt64(seed)).compactMap { step in
            if case .text(let text) = step { text } else { nil }
        }
        var options = Self.options(seed: UInt64(seed))
        options.thinkingBudgetTokens = nil
        options.maxOutputTokens = nil
        let result = try await ScriptedLLMEngine.result(of: chunks.map { .text($0) }, options)

        let profile = OutputSanitizationProfile.empty.merging(options.streamPhaseConfiguration)
        var reader = ReplyReader(
            ReplyFormat(
                stops: options.stopSequences,
                phases: .markers(
                    profile,
                    StartPhase(
                        promptTail: "", profile: profile,
                        startsInThinking: options.streamPhaseConfiguration.startsInThinking)),
                answer: options.stopAtBalancedJSON ? .balancedJSON : .text))
        var accumulator = GenerationAccumulator()
        for chunk in chunks where reader.stopReason == nil {
            accumulator.countToken(after: 0) { _ in }
            accumulator.append(reader.push(Array(chunk.utf8))) { _ in }
        }
        let reason = reader.stopReason ?? .complete
        accumulator.append(reader.finish()) { _ in }
        #expect(result.finalText == accumulator.text(of: .final))
        #expect(result.thinkingText == accumulator.text(of: .thinking))
        #expect(result.rawGeneratedText == accumulator.rawText)
        #expect(result.generatedTokens == accumulator.generatedTokens)
        #expect(result.stopReason == reason)
    }

    @Test("work is linear: many steps, and many changes between text and thinking")
    func manySteps() async throws {
        let turn = (0..<20_000).map { $0.isMultiple(of: 2) ? Step.text("ab ") : .thinking("c") }
        let engine = ScriptedLLMEngine(contextSize: 1_000_000, script: [turn])
        let options = GenerationOptions(stopSequences: [String(repeating: "STOP", count: 250)])
        let result = try await engine.generatePhased(system: "", prompt: "a", options: options)
        #expect(result.generatedTokens == 20_000)
        #expect(result.finalText.utf8.count == 10_000 * 4 - 1)
    }
}
