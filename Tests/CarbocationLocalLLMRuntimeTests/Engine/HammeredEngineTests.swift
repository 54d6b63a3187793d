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
        try await withThrowingTaskGroup(of: Hammer.Tally.self) { group in
            for seed in 0..<50 { group.addTask { try await hammer.run(seed: UInt64(seed)) } }
            var sum = Hammer.Tally()
            for try await tally in group { sum.add(tally) }
            #expect(sum.answers > 0 && sum.loads > 0 && sum.cancellations > 0)
            print("hammered: \(sum)")
        }
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

        mutating func add(_ other: Tally) {
            loads += other.loads
            answers += other.answers
            cancellations += other.cancellations
            refusals += other.refusals
        }
    }

    let engine: LocalLLMEngine
    let library: ModelLibrary
    let selections: [LLMModelSelection]
    let expected: [(prompt: String, answer: String)]
    let end: ContinuousClock.Instant

    func run(seed: UInt64) async throws -> Tally {
        var random = SeededGenerator(seed: seed)
        var tally = Tally()
        repeat {
            do {
                try await act(&random, &tally)
            } catch is CancellationError {
                tally.cancellations += 1
            } catch LocalLLMEngineError.noSelectionLoaded, LLMEngineError.modelLoadFailed {
                tally.refusals += 1
            }
        } while ContinuousClock.now < end
        return tally
    }

    private func act(_ random: inout SeededGenerator, _ tally: inout Tally) async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            await engine.unload()
        case 1...4:
            let selection = selections[Int.random(in: 0..<selections.count, using: &random)]
            let context = [512, 1024].randomElement(using: &random) ?? 512
            let info = try await engine.load(selection: selection, from: library, requestedContext: context)
            #expect(info.selection == selection)
            tally.loads += 1
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
            tally.answers += 1
        }
    }
}
