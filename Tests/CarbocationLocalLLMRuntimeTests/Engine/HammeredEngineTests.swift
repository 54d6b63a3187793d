import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import TestSupport
import Testing

/// Many tasks load, unload, generate and cancel on one engine.
///
/// `CARBOCATION_HAMMER_SECONDS` lets them go on for longer than their share of the usual test run.
@Suite("One engine, many tasks", .needsRuntime, .timeLimit(.minutes(15)))
struct HammeredEngineTests {
    private static let prompts = [
        ("What is 2 plus 3?", "5"), ("What is my name?", nil), ("Count from 2 to 7.", nil),
    ]

    @Test("CP-8: no crash, no wrong text, no wrong state")
    func hammer() async throws {
        let pocket = try await PocketLibrary()
        let broken = try await pocket.addHeader(contextLength: 4096)
        let reference = try await pocket.engine()
        var expected: [String] = []
        for (prompt, answer) in Self.prompts {
            expected.append(try await reference.generate(system: "", prompt: prompt, options: .greedy()) { _ in })
            if let answer { #expect(expected.last == answer) }
        }
        await reference.unload()
        let seconds = ProcessInfo.processInfo.environment["CARBOCATION_HAMMER_SECONDS"].flatMap(Double.init) ?? 2
        let hammer = Hammer(
            engine: LocalLLMEngine(configuration: .small, systemModels: ScriptedSystem().models),
            library: pocket.library,
            selections: [pocket.selection, .installed(broken.id), .system(.appleIntelligence)],
            expected: zip(Self.prompts.map(\.0), expected).map { ($0, $1) },
            end: ContinuousClock.now + .seconds(seconds))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<50 { group.addTask { try await hammer.run(seed: UInt64(seed)) } }
            try await group.waitForAll()
        }
        print("hammered: \(hammer.tally.withLock { $0 })")
        let last = try await hammer.engine.load(
            selection: pocket.selection, from: pocket.library, requestedContext: 512)
        #expect(last.contextSize == 512)
        let answer = try await hammer.engine.generate(
            system: "", prompt: "What is 2 plus 3?", options: .greedy()
        ) { _ in }
        #expect(answer == "5")
    }
}

private struct Hammer: Sendable {
    struct Tally: CustomStringConvertible {
        var loads = 0
        var answers = 0
        var cancellations = 0
        var refusals = 0

        var description: String {
            "\(loads) loads, \(answers) answers, \(cancellations) cancelled, \(refusals) refused"
        }

        /// Whether everything happened at least once.
        var isComplete: Bool { loads > 0 && answers > 0 && cancellations > 0 && refusals > 0 }
    }

    let engine: LocalLLMEngine
    let library: ModelLibrary
    let selections: [LLMModelSelection]
    let expected: [(prompt: String, answer: String)]
    let end: ContinuousClock.Instant
    /// What all tasks did.
    let tally = Locked(Tally())

    /// Goes on until the end, and on a slow machine until everything happened.
    func run(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        repeat {
            do {
                try await act(&random)
            } catch is CancellationError {
                tally.withLock { $0.cancellations += 1 }
            } catch LocalLLMEngineError.noSelectionLoaded, LLMEngineError.modelLoadFailed {
                tally.withLock { $0.refusals += 1 }
            }
        } while ContinuousClock.now < end || !tally.withLock { $0.isComplete }
    }

    private func act(_ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            await engine.unload()
        case 1...4:
            let selection = selections[Int.random(in: 0..<selections.count, using: &random)]
            let context = [512, 1024].randomElement(using: &random) ?? 512
            let info = try await engine.load(selection: selection, from: library, requestedContext: context)
            #expect(info.selection == selection)
            tally.withLock { $0.loads += 1 }
        case 5...9:
            let question = expected[Int.random(in: 0..<expected.count, using: &random)]
            let engine = engine
            let generation = Task {
                try await engine.generate(system: "", prompt: question.prompt, options: .greedy()) { _ in }
            }
            for _ in 0..<Int.random(in: 0..<50, using: &random) { await Task.yield() }
            generation.cancel()
            _ = try await generation.value
        case 10, 11:
            let budget = try await engine.preflight(system: "", prompt: expected[0].prompt, options: .greedy())
            #expect(budget.canGenerate)
        default:
            let question = expected[Int.random(in: 0..<expected.count, using: &random)]
            let text = try await engine.generate(system: "", prompt: question.prompt, options: .greedy()) { _ in }
            #expect(text == question.answer || text == "From the system.")
            tally.withLock { $0.answers += 1 }
        }
    }
}
