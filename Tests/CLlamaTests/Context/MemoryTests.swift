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
}
