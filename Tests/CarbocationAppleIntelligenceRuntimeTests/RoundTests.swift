import CarbocationLocalLLM
import FoundationModels
import TestSupport
import Testing

@testable import AppleIntelligenceWithStubs

@Suite("Rounds of the system's calls", .timeLimit(.minutes(10)))
struct RoundTests {
    private let engine = AppleIntelligenceEngine.quiet

    private func request(_ maxToolRounds: Int, ran: Locked<Int> = Locked(0)) -> LLMToolGenerationRequest {
        let tool = LLMTool(definition: LLMToolDefinition(name: "go", description: "Goes.")) { _ in
            ran.withLock { $0 += 1 }
            return .null
        }
        return LLMToolGenerationRequest(prompt: "Go", tools: [tool], maxToolRounds: maxToolRounds)
    }

    private static let call = StubScript.Call("go", "{}")
    private static let pair = StubScript.Step.calls([call, call])

    @Test(
        "TL-6: calls of one turn are one round, however quickly they are answered and late they are shown",
        arguments: [StubScript.CallEntries.first, .last], [true, false])
    func quick(entries: StubScript.CallEntries, together: Bool) async throws {
        let script = StubScript(
            [[Self.pair, Self.pair, .calls([Self.call]), .snapshot("Gone.")]], callEntries: entries,
            runsCallsTogether: together)
        let result = try await script.run { try await engine.generateWithToolsPhased(request(3)) }
        #expect(result.roundsCompleted == 3)
        #expect(result.toolOutputs.map(\.isError) == [false, false, false, false, false])
        #expect(result.stopReason == .complete)
    }

    @Test("TL-10: any limit of rounds is one", arguments: [3, 4, Int.max - 1, .max])
    func limit(rounds: Int) async throws {
        let script = StubScript([Array(repeating: Self.pair, count: 3) + [.snapshot("Gone.")]])
        let result = try await script.run { try await engine.generateWithToolsPhased(request(rounds)) }
        #expect(result.roundsCompleted == 3)
        #expect(result.finalText == "Gone.")
    }

    @Test("TL-10: the limit holds where the system shows no calls at all")
    func silent() async throws {
        let ran = Locked(0)
        let calls = Array(repeating: StubScript.Step.calls([Self.call]), count: 500)
        let script = StubScript([calls + [.snapshot("never")], [.snapshot("Done.")]], callEntries: .never)
        let result = try await script.run { try await engine.generateWithToolsPhased(request(2, ran: ran)) }
        #expect(result.stopReason == .maxToolRounds)
        #expect(result.finalText == "Done.")
        #expect(ran.withLock { $0 } <= 2 * RoundFinder.maximumUnshownCalls)
    }

    /// What the system shows with a call, and whether that is the first one of a round.
    private struct Row {
        var rounds: [Int] = []
        var outputs = 0
        var isIdle = true
        var hasWritten = false
        var isFirst: Bool
    }

    private func check(_ rows: [Row]) {
        var finder = RoundFinder()
        for (index, row) in rows.enumerated() {
            let isFirst = finder.take(
                showing: SystemToolProgress(rounds: row.rounds, outputs: row.outputs), isIdle: row.isIdle,
                hasWritten: row.hasWritten)
            #expect(isFirst == row.isFirst, "call \(index)")
        }
    }

    @Test("TL-6: what is shown decides, at once or late")
    func shown() {
        check([
            // Two calls of which nothing is shown; then their turn is, with its outputs one by one.
            Row(isFirst: true), Row(isFirst: false), Row(rounds: [3], outputs: 1, hasWritten: true, isFirst: false),
            // The next turns: shown at once; late; late while another call runs; at once, with the turn before.
            Row(rounds: [3, 1], outputs: 3, isFirst: true), Row(rounds: [3, 1], outputs: 4, isFirst: true),
            Row(rounds: [3, 1], outputs: 4, isIdle: false, hasWritten: true, isFirst: false),
            Row(rounds: [3, 1, 2, 1], outputs: 6, isFirst: true),
        ])
    }

    @Test("TL-6: where nothing is shown, text between calls ends a round")
    func written() {
        check([
            Row(hasWritten: true, isFirst: true), Row(isIdle: false, hasWritten: true, isFirst: false),
            Row(hasWritten: true, isFirst: true),
        ])
    }
}
