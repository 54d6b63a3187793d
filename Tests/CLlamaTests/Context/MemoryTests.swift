import CLlama
import Foundation
import Testing

@Suite("The memory of a context", .needsRuntime)
struct MemoryTests {
    private let model: Model
    private let context: Context

    init() throws {
        model = try Model(Files.pocketModel)
        context = try Context(model)
    }

    private func positions(_ sequence: Int32) -> [Int32] {
        [context.first(sequence), context.last(sequence)]
    }

    @Test("Positions span what was computed")
    func span() throws {
        #expect(positions(0) == [-1, -1])
        try context.append([1, 2, 3, 4])
        #expect(positions(0) == [0, 3])
        #expect(positions(1) == [-1, -1])
    }

    @Test("A suffix can be removed, and the whole sequence")
    func remove() throws {
        try context.append([1, 2, 3, 4])
        try context.append([1, 2], sequence: 1)
        #expect(context.remove(0, from: 2))
        #expect(positions(0) == [0, 1])
        #expect(context.remove(0, from: 2))
        #expect(context.remove(0, from: 100))
        #expect(positions(0) == [0, 1])
        #expect(context.remove(0, from: 0))
        #expect(positions(0) == [-1, -1])
        #expect(positions(1) == [0, 1])
    }

    @Test("Sequences out of range are refused, not taken for all", arguments: [Int32(-1), 2, 64, .min, .max])
    func range(sequence: Int32) throws {
        try context.append([1, 2])
        #expect(!context.remove(sequence, from: 0))
        #expect(positions(sequence) == [-1, -1])
        #expect(positions(0) == [0, 1])
    }

    @Test("X11: after clearing, results are those of a new context")
    func clear() throws {
        try context.append([9, 8, 7, 6, 5])
        context.clear()
        #expect(context.logits(4) == nil)
        #expect(positions(0) == [-1, -1])
        try context.append([1, 2, 3])
        let fresh = try Context(model)
        try fresh.append([1, 2, 3])
        #expect(context.logits(2) == fresh.logits(2))
    }

    @Test("X07: recurrent memory refuses to drop a suffix and keeps everything")
    func recurrent() throws {
        let model = try Files.model(TinyModel.recurrent(letters: [1, 2, 3]).data)
        let context = try Context(model)
        try context.append([3, 4, 5, 3])
        #expect(!context.remove(0, from: 2))
        #expect(context.last(0) == 3)
        #expect(context.remove(0, from: 0))
        #expect(context.last(0) == -1)
        try context.append([3])
    }

    @Test("X06: a sliding window that no longer holds the past cannot be cut there")
    func window() throws {
        let model = try Files.model(TinyModel.windowed(letters: [1, 2, 3], window: 8).data)
        #expect(model.info.sliding_window == 8)
        let context = try Context(
            model,
            Context.parameters {
                $0.context_size = 1024
                $0.maximum_sequences = 1
            })
        for _ in 0..<10 {
            try context.append([Int32](repeating: 4, count: 60))
        }
        let first = context.first(0)
        #expect(first > 100)
        #expect(!context.remove(0, from: 100))
        #expect(!context.remove(0, from: first + 8))
        #expect(context.last(0) == 599)
        #expect(context.remove(0, from: 595))
        #expect(context.last(0) == 594)
        try context.append([4])
        #expect(context.remove(0, from: 0))
        #expect(context.last(0) == -1)
    }

    @Test("A copied prefix shares its cells, and gives the logits of one that was computed")
    func copy() throws {
        #expect(context.canCopy)
        for start in 0..<4 {
            try context.append((0..<45).map { Int32(start * 45 + $0 + 10) })
        }
        #expect(context.copy(0, to: 1, count: 170))
        #expect(positions(1) == [0, 169])
        // 180 + 170 tokens do not fit into 256 cells unless they share them.
        try context.append([7, 8, 9], sequence: 1)
        let logits = context.logits(2)
        #expect(context.remove(0, from: 0))
        #expect(positions(1) == [0, 172])
        #expect(context.remove(1, from: 170))
        try context.append([7, 8, 9], sequence: 1)
        let again = try #require(context.logits(2))
        #expect(zip(try #require(logits), again).allSatisfy { abs($0 - $1) < 0.01 })
    }

    @Test("What cannot be copied is refused, and nothing changes")
    func copyRefused() throws {
        try context.append([1, 2, 3])
        try context.append([4], sequence: 1)
        for (source, target, count): (Int32, Int32, Int32) in [
            (0, 1, 2), (0, 0, 2), (0, 2, 2), (-1, 1, 2), (0, 1, 0), (0, 1, -1), (0, 1, .max),
        ] { #expect(!context.copy(source, to: target, count: count)) }
        #expect(context.remove(1, from: 0))
        #expect(!context.copy(0, to: 1, count: 4))
        #expect(!context.copy(1, to: 0, count: 1))
        #expect(positions(0) == [0, 2])
        #expect(positions(1) == [-1, -1])
        let recurrent = try Context(Files.model(TinyModel.recurrent(letters: [1, 2, 3]).data))
        try recurrent.append([3, 4])
        #expect(!recurrent.canCopy)
        #expect(!recurrent.copy(0, to: 1, count: 2))
    }

    @Test("Whether a suffix can be removed is known before")
    func canRemove() throws {
        try context.append([1, 2, 3])
        #expect([0, 1, 3, 9].allSatisfy { context.canRemove(0, from: $0) })
        #expect(!context.canRemove(2, from: 0))
        let recurrent = try Context(Files.model(TinyModel.recurrent(letters: [1, 2, 3]).data))
        try recurrent.append([3, 4, 5])
        #expect([0, 3].allSatisfy { recurrent.canRemove(0, from: $0) })
        #expect(!recurrent.canRemove(0, from: 2))
        #expect(recurrent.last(0) == 2)
    }
}
