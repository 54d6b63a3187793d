import CarbocationLocalLLM
import TestSupport

@testable import CarbocationLlamaRuntime

/// Drafts tokens of which it knows whether they are right.
// `@unchecked` because each test drives it from one thread.
final class GuessingDrafter: Drafter, @unchecked Sendable {
    let isCostly = false
    private let right: Double
    private let next: ([Token]) -> Token
    private var generator: SeededGenerator

    /// Each token is right with probability `right`, as `next` says.
    init(right: Double, seed: UInt64, next: @escaping ([Token]) -> Token = { FakeContext.next(after: $0) }) {
        self.right = right
        self.next = next
        generator = SeededGenerator(seed: seed)
    }

    func outlook(after tokens: [Token]) -> DraftOutlook? {
        Int.random(in: 0..<5, using: &generator) == 0
            ? nil : DraftOutlook(kind: .match, count: .random(in: 1...32, using: &generator))
    }

    func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token] {
        var text = tokens
        for _ in 0..<count {
            let token = next(text)
            let isRight = Double.random(in: 0..<1, using: &generator) < right
            text.append(isRight ? token : token + 1)
        }
        return Array(text.dropFirst(tokens.count))
    }
}

extension Speculation {
    /// Drafts all the time, right with that probability.
    static func guessing(
        right: Double, seed: UInt64 = 1, limit: Int = 8,
        next: @escaping @Sendable ([Token]) -> Token = {
            FakeContext.next(after: $0)
        }
    ) -> Speculation {
        let seeds = Locked(seed)
        return Speculation(draftLimit: limit, pacing: .always, now: { 0 }) {
            let seed = seeds.withLock { seed in
                seed &+= 1
                return seed
            }
            return GuessingDrafter(right: right, seed: seed, next: next)
        }
    }
}
