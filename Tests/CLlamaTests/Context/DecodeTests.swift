import CLlama
import Foundation
import Testing

@Suite("Computing batches", .needsRuntime)
struct DecodeTests {
    private let model: Model
    private let context: Context

    init() throws {
        model = try Model(Files.pocketModel)
        context = try Context(model)
    }

    private func entry(_ token: Int32, _ position: Int32, _ sequence: Int32 = 0, logits: Bool = false) -> cl_batch_entry
    {
        cl_batch_entry(token: token, position: position, sequence: sequence, wants_logits: logits)
    }

    @Test("An empty batch is refused")
    func empty() {
        #expect(status { try context.decode([]) } == CL_INVALID_ARGUMENT)
        #expect(cl_decode(context.raw, nil, 3) == CL_INVALID_ARGUMENT)
    }

    @Test("X04: a batch larger than the context's is refused, not written past its end")
    func tooLarge() throws {
        let entries = (0..<65).map { entry(1, Int32($0)) }
        #expect(status { try context.decode(entries) } == CL_INVALID_ARGUMENT)
        #expect(cl_decode(context.raw, entries, Int.max) == CL_INVALID_ARGUMENT)
        try context.decode(Array(entries.prefix(64)))
    }

    @Test("Tokens, sequences and positions are checked")
    func entries() {
        let bad: [[cl_batch_entry]] = [
            [entry(-1, 0)], [entry(1024, 0)], [entry(1, 0, -1)], [entry(1, 0, 2)], [entry(1, 1)], [entry(1, -1)],
            [entry(1, 0), entry(1, 0)], [entry(1, 0), entry(1, 2)], [entry(1, 1), entry(1, 0)],
            [entry(1, 0), entry(1, 0, 1), entry(1, 2)], [entry(1, .max)],
        ]
        for batch in bad {
            #expect(status { try context.decode(batch) } == CL_INVALID_ARGUMENT)
        }
        #expect(context.last(0) == -1)
    }

    @Test("The reason names the entry")
    func reasonNamesEntry() {
        #expect(reason { try context.decode([entry(1, 0), entry(5000, 1)]) }.contains("entry 1"))
    }

    @Test("Positions go on where the sequence ends")
    func continuation() throws {
        try context.append([1, 2, 3])
        #expect(status { try context.decode([entry(1, 2)]) } == CL_INVALID_ARGUMENT)
        #expect(status { try context.decode([entry(1, 4)]) } == CL_INVALID_ARGUMENT)
        try context.decode([entry(4, 3), entry(9, 0, 1), entry(5, 4), entry(8, 1, 1)])
        #expect(context.last(0) == 4)
        #expect(context.last(1) == 1)
    }

    @Test("Logits are there only for entries that asked")
    func logits() throws {
        try context.decode([entry(1, 0), entry(2, 1, logits: true), entry(3, 2)])
        #expect(context.logits(1)?.count == 1024)
        for index in [-1, 0, 2, 3, Int(Int32.max)] {
            #expect(context.logits(index) == nil)
        }
        #expect(status { try context.decode([entry(-1, 3)]) } == CL_INVALID_ARGUMENT)
        #expect(context.logits(1) != nil)
    }

    @Test("At most 33 entries for each sequence may want logits")
    func maximumLogits() throws {
        let context = try Context(model, Context.parameters { $0.maximum_sequences = 1 })
        let entries = (0..<34).map { entry(1, Int32($0), logits: true) }
        #expect(status { try context.decode(entries) } == CL_INVALID_ARGUMENT)
        try context.decode(Array(entries.prefix(33)))
        #expect(context.logits(0) != nil && context.logits(32) != nil)
    }

    @Test("X02: a full cache is told and left as it was")
    func full() throws {
        for _ in 0..<4 {
            try context.append([Int32](repeating: 1, count: 64))
        }
        #expect(status { try context.append([1]) } == CL_CONTEXT_FULL)
        #expect(context.last(0) == 255)
        #expect(context.logits(0) == nil)
        #expect(context.remove(0, from: 200))
        try context.append([1])
        #expect(context.last(0) == 200)
    }

    @Test("A requested stop is answered until it is taken back")
    func stop() throws {
        context.requestStop()
        #expect(status { try context.append([1, 2]) } == CL_CANCELLED)
        #expect(context.last(0) == -1)
        context.clearStop()
        try context.append([1, 2])
    }

    @Test("LR-7: a stop from another thread ends a running batch; afterwards decoding goes on")
    func stopRunning() async throws {
        let context = try Context(
            model,
            Context.parameters {
                $0.context_size = 8192
                $0.batch_size = 8192
                $0.micro_batch_size = 512
            })
        nonisolated(unsafe) let shared = context
        let tokens = [Int32](repeating: 7, count: 8000)
        let isRunning = DispatchSemaphore(value: 0)
        async let stopped: Void = withCheckedContinuation { continuation in
            Thread {
                isRunning.wait()
                shared.requestStop()
                continuation.resume()
            }.start()
        }
        isRunning.signal()
        // The stop arrives before or while the batch runs; both end it.
        let result = status { try context.append(tokens) }
        await stopped
        #expect(result == CL_CANCELLED || result == CL_OK)
        context.clearStop()
        #expect(context.remove(0, from: 0))
        try context.append([1, 2, 3])
        #expect(context.last(0) == 2)
    }

    @Test("Equal inputs give equal logits")
    func deterministic() throws {
        try context.append([5, 6, 7])
        let first = context.logits(2)
        try context.append([5, 6, 7], sequence: 1)
        #expect(context.logits(2) == first)
    }
}
