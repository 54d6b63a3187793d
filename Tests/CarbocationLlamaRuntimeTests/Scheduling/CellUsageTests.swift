import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Cells in use")
struct CellUsageTests {
    @Test("shared cells count once, until one of the sequences goes its own way")
    func shared() {
        var usage = CellUsage()
        usage.append(10, to: 0)
        usage.share(6, of: 0, with: 1)
        #expect(usage.total == 10)
        usage.append(3, to: 1)
        #expect(usage.total == 13)
        usage.cut(0, to: 4)
        #expect([usage.total, usage.count(of: 0), usage.count(of: 1)] == [9, 4, 9])
        usage.append(2, to: 0)
        #expect(usage.total == 11)
        usage.cut(1, to: 0)
        #expect(usage.total == 6)
    }

    @Test("the books agree with cells that are really shared", arguments: 0..<50)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var usage = CellUsage()
        var memory = FakeMemory(.standard)
        for _ in 0..<200 {
            let sequence = Int32.random(in: 0..<5, using: &generator)
            let count = memory.tokens(of: sequence).count
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                let added = Int.random(in: 0..<9, using: &generator)
                for offset in 0..<added {
                    memory.append(
                        BatchEntry(token: 1, position: count + offset, sequence: sequence, wantsLogits: false))
                }
                usage.append(added, to: sequence)
            case 2:
                let kept = Int.random(in: 0...count, using: &generator)
                memory.remove(from: kept, of: sequence)
                usage.cut(sequence, to: kept)
            default:
                let target = Int32.random(in: 0..<5, using: &generator)
                let shared = Int.random(in: 0...count, using: &generator)
                if memory.copy(shared, of: sequence, to: target) { usage.share(shared, of: sequence, with: target) }
            }
            #expect(usage.total == memory.usedCells)
            #expect((0..<5).allSatisfy { usage.count(of: $0) == memory.tokens(of: $0).count })
        }
    }
}
