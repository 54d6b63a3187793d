import CLlama
import Foundation
import Testing

@Suite("Embeddings", .needsRuntime)
struct EmbedderTests {
    private let model: Model
    private let tokens = (0..<150).map { Int32($0 * 7 % 1000 + 1) }

    init() throws {
        model = try Model(Files.pocketModel)
    }

    private func distance(_ one: [Float], _ other: [Float]) -> Float {
        zip(one, other).map { abs($0 - $1) }.max() ?? .infinity
    }

    @Test("the mean is that of the texts' beginnings, the last that of the last token")
    func pooling() throws {
        let embedder = try Embedder(model)
        #expect(embedder.width == 128)
        var sums = [Float](repeating: 0, count: 128)
        for count in 1...40 {
            let last = try embedder.embed(Array(tokens.prefix(count)), pooling: CL_POOLING_LAST)
            sums = zip(sums, last).map { $0 + $1 }
        }
        let text = Array(tokens.prefix(40))
        #expect(distance(try embedder.embed(text), sums.map { $0 / 40 }) < 1e-2)
        let first = try embedder.embed([tokens[0]])
        #expect(distance(try embedder.embed(text, pooling: CL_POOLING_CLS), first) < 1e-2)
        #expect(distance(first, sums.map { $0 / 40 }) > 0.1)
    }

    @Test("the size of the batches changes nothing", arguments: [1, 7, 64, 256])
    func batches(size: UInt32) throws {
        let expected = try Embedder(model, Embedder.parameters { $0.batch_size = 150 }).embed(tokens)
        let embedder = try Embedder(model, Embedder.parameters { $0.batch_size = size })
        #expect(distance(try embedder.embed(tokens), expected) < 1e-2)
    }

    @Test("a text gives the same numbers every time, whatever was computed before")
    func deterministic() throws {
        let embedder = try Embedder(model)
        let expected = try embedder.embed(tokens)
        _ = try embedder.embed([5, 6, 7])
        #expect(try embedder.embed(tokens) == expected)
        #expect(try Embedder(model, Embedder.parameters { $0.threads = 2 }).embed(tokens) == expected)
    }

    @Test(
        "the automatic pooling is the file's own",
        arguments: [(0, 1), (1, 1), (2, 2), (3, 3), (99, 1)] as [(UInt32, UInt32)])
    func ownPooling(stored: UInt32, expected: UInt32) throws {
        var builder = Self.varied
        builder.set("llama.pooling_type", .uint32(stored))
        let embedder = try Embedder(try Files.model(builder.data))
        let text: [Int32] = [3, 4, 5]
        #expect(
            try embedder.embed(text, pooling: CL_POOLING_AUTOMATIC)
                == embedder.embed(text, pooling: cl_pooling(rawValue: expected)))
        #expect(try embedder.embed(text, pooling: CL_POOLING_CLS) != embedder.embed(text, pooling: CL_POOLING_LAST))
    }

    @Test("a ranking model has no pooling of its own")
    func ranking() throws {
        var builder = Self.varied
        builder.set("llama.pooling_type", .uint32(4))
        let embedder = try Embedder(try Files.model(builder.data))
        #expect(status { _ = try embedder.embed([3], pooling: CL_POOLING_AUTOMATIC) } == CL_DECODE_FAILED)
        #expect(try embedder.embed([3]).count == TinyModel.width)
    }

    @Test("a model that looks ahead is computed in one piece")
    func lookingAhead() throws {
        var builder = Self.varied
        builder.set("llama.attention.causal", .bool(false))
        let embedder = try Embedder(
            try Files.model(builder.data), Embedder.parameters { $0.batch_size = 2 })
        #expect(try embedder.embed(Array(repeating: 4, count: 200)).allSatisfy(\.isFinite))
    }

    /// A model whose tokens have different vectors.
    private static var varied: GGUFBuilder {
        var builder = TinyModel.builder(letters: [1, 2, 3, 4, 5])
        builder.tensors.removeAll { $0.name == "token_embd.weight" }
        builder.add("token_embd.weight", [TinyModel.width, 8]) { Float(($0 * 37 + $0 / TinyModel.width) % 11) - 5 }
        return builder
    }

    @Test("models with a state or a window give embeddings too")
    func otherMemory() throws {
        for builder in [
            TinyModel.recurrent(letters: [1, 2]), TinyModel.windowed(letters: [1, 2], window: 8),
        ] {
            let embedder = try Embedder(try Files.model(builder.data))
            let text = Array(repeating: Int32(3), count: 100)
            let expected = try embedder.embed(text)
            #expect(expected.allSatisfy { $0.isFinite })
            #expect(try embedder.embed(text) == expected)
        }
    }

    @Test("an adapter changes embeddings as much as its scale says")
    func adapter() throws {
        let model = try Files.model(Self.varied.data)
        var adapter = TinyAdapter.builder(shift: [])
        adapter.tensors.removeAll()
        adapter.add("token_embd.weight.lora_a", [2, 8]) { Float($0) }
        adapter.add("token_embd.weight.lora_b", [2, TinyModel.width]) { Float($0 % 5) }
        try model.add(adapter)
        let plain = try Embedder(model, scales: [0]).embed([3, 4])
        #expect(try plain == Embedder(try Files.model(Self.varied.data)).embed([3, 4]))
        #expect(try Embedder(model, scales: [1]).embed([3, 4]) != plain)
        #expect(status { _ = try Embedder(model) } == CL_INVALID_ARGUMENT)
    }

    @Test("what cannot be embedded is refused, and the embedder works on")
    func refusals() throws {
        let embedder = try Embedder(model)
        let expected = try embedder.embed([1, 2])
        #expect(status { _ = try embedder.embed([]) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try embedder.embed(Array(repeating: 1, count: 257)) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try embedder.embed([1, 1024]) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try embedder.embed([-1]) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try embedder.embed([1], capacity: 127) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try embedder.embed([1], pooling: cl_pooling(rawValue: 9)) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try embedder.embed([1], stop: { _ in true }) } == CL_CANCELLED)
        #expect(try embedder.embed([1, 2]) == expected)
    }

    @Test("embedding ends soon after it is to stop")
    func stops() throws {
        let embedder = try Embedder(model)
        Self.questions.withLock { $0 = 0 }
        let stop: cl_embedding_stop = { _ in
            EmbedderTests.questions.withLock {
                $0 += 1
                return $0 > 5
            }
        }
        #expect(status { _ = try embedder.embed(tokens, stop: stop) } == CL_CANCELLED)
        #expect(try embedder.embed([1]).allSatisfy(\.isFinite))
    }

    private static let questions = Questions()

    private static let bad: [@Sendable (inout cl_embedder_params) -> Void] = [
        { $0.context_size = 0 }, { $0.context_size = (1 << 24) + 1 }, { $0.batch_size = 0 },
        { $0.batch_size = 257 }, { $0.threads = 0 }, { $0.threads = 513 },
    ]

    @Test("impossible parameters are refused", arguments: bad.indices)
    func parameters(index: Int) {
        #expect(
            status { _ = try Embedder(model, Embedder.parameters(Self.bad[index])) } == CL_INVALID_ARGUMENT)
    }

    @Test("a model without weights has no embeddings")
    func vocabularyOnly() throws {
        let model = try Model(Files.pocketModel, vocabularyOnly: true)
        #expect(status { _ = try Embedder(model) } == CL_CONTEXT_INIT_FAILED)
    }
}

/// A number that a C callback counts in.
private final class Questions: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func withLock<Result>(_ body: (inout Int) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&count)
    }
}
