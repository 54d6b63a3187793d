import CLlama
import Foundation
import Testing

@Suite("Checkpoints of a context", .needsRuntime)
struct CheckpointTests {
    private func context(window: Int? = nil) throws -> Context {
        let builder =
            window.map { TinyModel.windowed(letters: [1, 2, 3], window: $0) }
            ?? TinyModel.recurrent(letters: [1, 2, 3])
        return try Context(Files.model(builder.data), Context.parameters { $0.context_size = 1024 })
    }

    @Test("A recurrent state returns to where it was saved, again and again")
    func recurrent() throws {
        let context = try context()
        #expect(context.needsCheckpoint(at: 1))
        #expect(context.checkpointSize(0) == 0)
        try context.append([3, 4, 5])
        let saved = context.checkpoint(0)
        #expect(saved.count == context.checkpointSize(0))
        for _ in 0..<3 {
            try context.append([3, 3, 3])
            #expect(context.restore(0, saved, count: 3))
            #expect(context.last(0) == 2)
        }
        try context.append([4])
    }

    @Test("X06: a window returns to where it was saved, and the other layers forget what came later")
    func window() throws {
        let context = try context(window: 8)
        #expect(!context.needsCheckpoint(at: 8))
        #expect(context.needsCheckpoint(at: 9))
        for _ in 0..<5 { try context.append([Int32](repeating: 4, count: 60)) }
        let saved = context.checkpoint(0)
        for _ in 0..<5 { try context.append([Int32](repeating: 5, count: 60)) }
        #expect(!context.remove(0, from: 300))
        #expect(context.restore(0, saved, count: 300))
        #expect(context.last(0) == 299)
        // All 1024 cells but the 300 are free again.
        for _ in 0..<12 { try context.append([Int32](repeating: 3, count: 60)) }
        #expect(context.last(0) == 1019)
    }

    @Test("Another sequence begins at a checkpoint, whatever the first one did since", arguments: [nil, 8])
    func copy(window: Int?) throws {
        let context = try context(window: window)
        for _ in 0..<5 { try context.append([Int32](repeating: 4, count: 60)) }
        let saved = context.checkpoint(0)
        for _ in 0..<5 { try context.append([Int32](repeating: 5, count: 60)) }
        #expect(context.copy(0, to: 1, saved, count: 300))
        #expect(context.last(0) == 599)
        #expect(context.last(1) == 299)
        try context.append([3], sequence: 1)
        try context.append([3])
        for (source, target, count): (Int32, Int32, Int32) in [(0, 1, 300), (0, 0, 300), (0, 2, 300), (-1, 1, 300)] {
            #expect(!context.copy(source, to: target, saved, count: count))
        }
        #expect(context.remove(1, from: 0))
        #expect(!context.copy(0, to: 1, saved, count: 602))
        // A failed copy leaves nothing once the sequence was removed.
        #expect(!context.copy(0, to: 1, [1, 2, 3], count: 300))
        #expect(context.remove(1, from: 0))
        #expect(context.remove(0, from: 0))
        for _ in 0..<17 { try context.append([Int32](repeating: 3, count: 60), sequence: 1) }
        #expect(context.last(1) == 1019)
    }

    @Test("Damaged checkpoints and impossible counts are refused; a removed sequence works on")
    func damaged() throws {
        let context = try context()
        try context.append([3, 4, 5])
        let saved = context.checkpoint(0)
        #expect(context.checkpoint(0, capacity: saved.count - 1).isEmpty)
        #expect(!context.restore(2, saved, count: 3))
        #expect(!context.restore(1, saved, count: 3))
        for (bytes, count): ([UInt8], Int32) in [
            ([], 3), ([UInt8](saved.prefix(8)), 3), (saved.dropLast(3) + [], 3), (saved + [0], 3), (saved, 2),
            (saved, 0), ([UInt8](repeating: 255, count: saved.count), 3),
        ] {
            #expect(!context.restore(0, bytes, count: count))
            #expect(context.remove(0, from: 0))
            try context.append([3, 4, 5])
        }
    }
}
