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
}
