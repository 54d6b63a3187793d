import CLlama
import Foundation
import Testing

private let a = TinyModel.letter("a")
private let b = TinyModel.letter("b")
private let c = TinyModel.letter("c")

@Suite("Penalties", .needsRuntime)
struct PenaltyTests {
    private func run(
        _ letters: [Float], special: [Float] = [-1000, -1000, -1000], prompt: [Int32] = [3], count: Int,
        _ change: (inout cl_sampler_params) -> Void
    ) throws -> [Int32] {
        let model = try Files.model(TinyModel.builder(letters: letters, special: special).data)
        let context = try Context(model)
        try context.append(prompt)
        let sampler = try Sampler(model, Sampler.parameters(change))
        return try (0..<count).map { _ in try sampler.sample(context, index: prompt.count - 1) }
    }

    @Test("M07: the repetition penalty divides positive logits")
    func positive() throws {
        // 3 → 1.5 < 2: the second choice is b; then b falls to 1 and a is ahead again.
        #expect(try run([3, 2], count: 3) { $0.repetition_penalty = 2 } == [a, b, a])
        // 4 / 1.5 is still ahead of 2.
        #expect(try run([4, 2], count: 3) { $0.repetition_penalty = 1.5 } == [a, a, a])
    }

    @Test("M07: the repetition penalty multiplies negative logits")
    func negative() throws {
        #expect(try run([-2, -3], count: 3) { $0.repetition_penalty = 2 } == [a, b, a])
    }

    @Test("The presence penalty is taken off once, however often a token came")
    func presence() throws {
        #expect(try run([3, 2.5, 1], count: 3) { $0.presence_penalty = 1 } == [a, b, a])
    }

    @Test("M08: the prompt never counts")
    func prompt() throws {
        let tokens = try run([3, 2], prompt: [a, a, a], count: 1) {
            $0.repetition_penalty = 2
            $0.presence_penalty = 1
        }
        #expect(tokens == [a])
    }

    @Test("M08, SM-3: the token that ends a reply is never penalised")
    func endOfGeneration() throws {
        let end: Int32 = 2
        let tokens = try run([3, 2], special: [-1000, -1000, 3.5], count: 4) {
            $0.repetition_penalty = 2
            $0.presence_penalty = 2
        }
        #expect(tokens == Array(repeating: end, count: 4))
    }

    @Test("M09: the penalty reaches back exactly as far as the window", arguments: [Int32(1), 2, 3])
    func window(length: Int32) throws {
        let tokens = try run([5, 4, 3, 2], count: 8) {
            $0.presence_penalty = 100
            $0.penalty_window = length
        }
        let cycle = [a, b, c, TinyModel.letter("d")].prefix(Int(length) + 1)
        #expect(tokens == (0..<8).map { cycle[$0 % cycle.count] })
    }

    @Test("M09: a long window remembers tokens from long ago")
    func longWindow() throws {
        var letters = (0..<20).map { Float(40 - $0) }
        letters.append(0)
        let tokens = try run(letters, count: 21) {
            $0.presence_penalty = 1000
            $0.penalty_window = 1000
        }
        #expect(tokens == (0..<21).map { Int32($0) + 3 })
    }

    @Test("A window of 0 turns penalties off")
    func off() throws {
        let tokens = try run([3, 2], count: 3) {
            $0.repetition_penalty = 2
            $0.penalty_window = 0
        }
        #expect(tokens == [a, a, a])
    }

    @Test("Extreme penalties do not break sampling")
    func extreme() throws {
        let tokens = try run([3, 2], count: 20) {
            $0.repetition_penalty = 1e30
            $0.presence_penalty = 3e38
            $0.temperature = 1
        }
        #expect(tokens.allSatisfy { $0 >= 0 && $0 < 5 })
    }
}
