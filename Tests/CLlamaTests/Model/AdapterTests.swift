import CLlama
import Foundation
import Testing

@Suite("LoRA adapters", .needsRuntime)
struct AdapterTests {
    private static let letters: [Float] = [5, 4, 3, 2, 1]
    private let shift: [Float] = [0, 0, 0, -1, 2, 0, 8, 0]

    private func model() throws -> Model {
        try Files.model(TinyModel.builder(letters: Self.letters).data)
    }

    private func logits(_ context: Context) throws -> [Float] {
        context.clear()
        try context.append([3, 4])
        return Array(try #require(context.logits(1)).dropFirst(3))
    }

    @Test("an adapter counts as much as its scale says", arguments: [Float(0), 0.5, 1, -2])
    func scale(scale: Float) throws {
        let model = try model()
        try model.add(TinyAdapter.builder(shift: shift))
        let context = try Context(model)
        #expect(try logits(context) == Self.letters)
        try context.setAdapters([scale])
        let expected = zip(Self.letters, shift.dropFirst(3)).map { $0 + $1 * scale }
        for (one, other) in zip(try logits(context), expected) { #expect(abs(one - other) < 1e-4) }
    }

    @Test("several adapters add up, and each has its own scale")
    func several() throws {
        let model = try model()
        try model.add(TinyAdapter.builder(shift: shift))
        try model.add(TinyAdapter.builder(shift: shift.map { _ in 1 }))
        #expect(model.adapterCount == 2)
        let context = try Context(model)
        try context.setAdapters([1, 3])
        let expected = zip(Self.letters, shift.dropFirst(3)).map { $0 + $1 + 3 }
        for (one, other) in zip(try logits(context), expected) { #expect(abs(one - other) < 1e-4) }
    }

    @Test("contexts of one model compute with scales of their own, several threads included")
    func independent() throws {
        let model = try model()
        try model.add(TinyAdapter.builder(shift: shift))
        let plain = try Context(model)
        let changed = try Context(
            model,
            Context.parameters {
                $0.threads = 2; $0.batch_threads = 2
            })
        try changed.setAdapters([1])
        #expect(try logits(plain) == Self.letters)
        #expect(try logits(changed)[3] > 9)
        #expect(try logits(plain) == Self.letters)
    }

    private static let refused: [(name: String, word: String, change: @Sendable (inout GGUFBuilder) -> Void)] = [
        ("another architecture", "arch", { $0.set("general.architecture", .string("qwen3")) }),
        ("not an adapter", "adapter", { $0.set("general.type", .string("model")) }),
        ("another kind of adapter", "lora", { $0.set("adapter.type", .string("control_vector")) }),
        ("a type of the wrong type", "gguf", { $0.set("general.type", .uint32(7)) }),
        ("half a pair", "missing", { $0.tensors.removeLast() }),
        ("a matrix that the model has not", "exist", { $0.renameTensors("other.weight") }),
        ("sizes of another model", "shape", { $0.replace("output.weight.lora_b") { $0.dimensions[1] = 7 } }),
        ("a tensor that is none of a pair", "suffix", { $0.add("stray.weight", [32]) { _ in 1 } }),
        ("a type without a kernel", "type", { $0.replace("output.weight.lora_a") { $0.type = 26 } }),
        ("an invocation text", "invocation", { $0.set("adapter.alora.invocation_tokens", .uints([3, 4])) }),
    ]

    @Test("adapters that do not fit are refused with a reason, and the model works on", arguments: refused.indices)
    func refusal(index: Int) throws {
        let (name, word, change) = Self.refused[index]
        var adapter = TinyAdapter.builder(shift: shift)
        change(&adapter)
        let model = try model()
        #expect(status { try model.add(adapter) } == CL_MODEL_LOAD_FAILED, "\(name)")
        #expect(reason { try model.add(adapter) }.contains(word), "\(name): \(reason { try model.add(adapter) })")
        #expect(model.adapterCount == 0)
        #expect(try logits(try Context(model)) == Self.letters)
    }

    @Test("a damaged file is refused at every length")
    func truncated() throws {
        let model = try model()
        let bytes = TinyAdapter.builder(shift: shift).data
        for length in stride(from: 0, to: bytes.count, by: 13) {
            let outcome = status {
                try Files.with(bytes.prefix(length)) { try check(cl_model_add_adapter(model.raw, $0.path)) }
            }
            #expect(outcome == CL_MODEL_LOAD_FAILED, "\(length)")
        }
        #expect(status { try check(cl_model_add_adapter(model.raw, "/nowhere/adapter.gguf")) } == CL_MODEL_LOAD_FAILED)
        #expect(model.adapterCount == 0)
    }

    @Test("a matrix with further dimensions is no crash when it is computed")
    func dimensions() throws {
        let model = try model()
        var adapter = TinyAdapter.builder(shift: shift)
        adapter.tensors.removeAll()
        adapter.add("output.weight.lora_a", [TinyModel.width, 1, 3]) { _ in 1 }
        adapter.add("output.weight.lora_b", [1, shift.count, 2]) { _ in 1 }
        try model.add(adapter)
        let context = try Context(model)
        #expect(status { try context.setAdapters([1]) } == CL_CONTEXT_INIT_FAILED)
        #expect(status { try context.append([3]) } == CL_DECODE_FAILED)
        #expect(status { _ = try Embedder(model, scales: [1]) } == CL_CONTEXT_INIT_FAILED)
    }

    @Test("scales must be numbers, one for each adapter")
    func badScales() throws {
        let model = try model()
        try model.add(TinyAdapter.builder(shift: shift))
        let context = try Context(model)
        for scales in [[], [1, 1], [.nan], [.infinity]] as [[Float]] {
            #expect(status { try context.setAdapters(scales) } == CL_INVALID_ARGUMENT)
        }
        #expect(try logits(context) == Self.letters)
    }

    @Test("a model without its weights takes no adapter")
    func vocabularyOnly() throws {
        let model = try Model(Files.pocketModel, vocabularyOnly: true)
        #expect(status { try model.add(TinyAdapter.builder(shift: [1])) } == CL_MODEL_LOAD_FAILED)
    }
}

extension GGUFBuilder {
    /// Lets the pair change another matrix.
    fileprivate mutating func renameTensors(_ name: String) {
        for index in tensors.indices {
            tensors[index].name = tensors[index].name.replacingOccurrences(of: "output.weight", with: name)
        }
    }
}
