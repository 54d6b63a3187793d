import CLlama
import Foundation
import Testing

@Suite("Model files that lie", .needsRuntime)
struct BrokenFileTests {
    /// Loads a file and computes a token if that succeeds: whatever happens must be a status.
    private func use(_ data: Data) throws -> cl_status {
        try Files.with(data) { url in
            status {
                let model = try Model(url)
                try Context(model).append([0])
            }
        }
    }

    private func reason(of data: Data) throws -> String {
        try Files.with(data) { url in
            CLlamaTests.reason {
                let model = try Model(url)
                try Context(model).append([0])
            }
        }
    }

    @Test(
        "A file cut off anywhere is refused", arguments: [0, 3, 4, 23, 24, 100, 5000, 30_000, 60_000, 1_000_000, -1])
    func truncated(length: Int) throws {
        let whole = try Data(contentsOf: Files.pocketModel)
        let cut = whole.prefix(length < 0 ? whole.count - 1 : length)
        #expect(try use(cut) == CL_MODEL_LOAD_FAILED)
    }

    @Test("Changed bytes of the header give a status or a working model", arguments: 0..<40)
    func mutated(seed: Int) throws {
        var bytes = try Data(contentsOf: Files.pocketModel)
        var state = UInt64(seed + 1)
        for _ in 0...(seed % 5) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes[Int(state >> 33) % 45_000] = UInt8(truncatingIfNeeded: state >> 24)
        }
        let allowed = [
            CL_OK, CL_MODEL_LOAD_FAILED, CL_CONTEXT_INIT_FAILED, CL_CONTEXT_UNSUPPORTED, CL_INVALID_ARGUMENT,
            CL_DECODE_FAILED,
        ]
        #expect(allowed.contains(try use(bytes)))
    }

    @Test("An assertion of llama.cpp becomes a status, again and again")
    func assertion() throws {
        var builder = TinyModel.builder(letters: [1, 2])
        builder.set("llama.block_count", .uint32(0))
        for _ in 0..<3 {
            #expect(try use(builder.data) == CL_MODEL_LOAD_FAILED)
            let reason = try reason(of: builder.data)
            #expect(reason.contains("GGML_ASSERT"))
            #expect(!reason.contains("/"))
        }
        #expect(try use(TinyModel.builder(letters: [1, 2]).data) == CL_OK)
    }

    @Test("An assertion inside a kernel is met before threads are at work")
    func kernelAssertion() throws {
        var builder = TinyModel.builder(letters: [1, 2])
        builder.replace("output_norm.weight") { tensor in
            tensor.type = 1
            tensor.bytes = Data(count: 64)
        }
        try Files.with(builder.data) { url in
            let model = try Model(url)
            // No other size would help.
            let create = { _ = try Context(model, Context.parameters { $0.threads = 2 }) }
            #expect(status(create) == CL_CONTEXT_UNSUPPORTED)
            let reason = CLlamaTests.reason(create)
            #expect(reason.hasPrefix("llama.cpp gave up: ") && reason.contains("unsupported types"))
            #expect(reason.last?.isNewline == false)
        }
    }

    @Test("Tensor types without kernels are refused", arguments: [UInt32(9), 15, 24, 25, 26, 27, 28])
    func tensorTypes(type: UInt32) throws {
        var builder = TinyModel.builder(letters: [1, 2])
        builder.replace("blk.0.ffn_up.weight") { tensor in
            tensor.type = type
            tensor.dimensions = [256, 32]
            tensor.bytes = Data(count: 256 * 32 * 8)
        }
        #expect(try use(builder.data) == CL_MODEL_LOAD_FAILED)
    }

    @Test("Impossible numbers are refused")
    func numbers() throws {
        let cases: [(String, GGUFBuilder.Value)] = [
            ("llama.attention.head_count", .uint32(0)), ("llama.attention.head_count", .uint32(3)),
            ("llama.attention.head_count", .uint32(.max)), ("llama.attention.head_count_kv", .uint32(5)),
            ("llama.embedding_length", .uint32(0)), ("llama.block_count", .uint32(.max)),
            ("llama.attention.layer_norm_rms_epsilon", .float32(-1)),
            ("llama.attention.layer_norm_rms_epsilon", .float32(.nan)), ("llama.rope.dimension_count", .uint32(31)),
            ("tokenizer.ggml.token_type", .ints([1])), ("tokenizer.ggml.tokens", .strings(["a"])),
            ("tokenizer.ggml.tokens", .strings(Array(repeating: "a", count: 5))),
            ("tokenizer.ggml.tokens", .ints([1, 2, 3, 4, 5])), ("tokenizer.ggml.model", .string("unheard-of")),
            ("general.architecture", .string("unheard-of")),
        ]
        for (key, value) in cases {
            var builder = TinyModel.builder(letters: [1, 2])
            builder.set(key, value)
            let allowed = [CL_MODEL_LOAD_FAILED, CL_CONTEXT_INIT_FAILED, CL_CONTEXT_UNSUPPORTED]
            #expect(allowed.contains(try use(builder.data)), "\(key) \(value)")
        }
    }

    @Test("Special tokens outside the vocabulary are ignored")
    func specialTokens() throws {
        var builder = TinyModel.builder(letters: [1, 2])
        builder.set("tokenizer.ggml.bos_token_id", .uint32(1_000_000))
        builder.set("tokenizer.ggml.eos_token_id", .uint32(.max))
        let model = try Files.model(builder.data)
        #expect(model.info.bos_token < 5)
        #expect(model.info.eos_token < 5)
    }

    @Test("A token longer than the grammar engine may recurse is refused")
    func longToken() throws {
        var builder = TinyModel.builder(letters: [1, 2])
        let long = String(repeating: "b", count: 9000)
        builder.set("tokenizer.ggml.tokens", .strings(["<unk>", "<s>", "</s>", "a", long]))
        #expect(try use(builder.data) == CL_MODEL_LOAD_FAILED)
    }

    @Test("Long texts of a file do not flood the reason")
    func longReason() throws {
        var builder = TinyModel.builder(letters: [1, 2])
        builder.set("general.architecture", .string(String(repeating: "x", count: 100_000)))
        #expect(try reason(of: builder.data).utf8.count <= 1000)
    }

    @Test("A set with a missing part is refused")
    func missingPart() throws {
        var builder = TinyModel.builder(letters: [1, 2])
        builder.set("split.count", .uint16(2))
        builder.set("split.no", .uint16(0))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = folder.appendingPathComponent("m-00001-of-00002.gguf")
        try builder.data.write(to: first)
        #expect(status { _ = try Model(first) } == CL_MODEL_LOAD_FAILED)
    }
}
