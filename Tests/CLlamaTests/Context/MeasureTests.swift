import CLlama
import Foundation
import Testing

@Suite("Measuring contexts without memory", .needsRuntime)
struct MeasureTests {
    private static func parameters(_ size: Int, _ type: cl_kv_type = CL_KV_F16) -> cl_context_params {
        Context.parameters {
            $0.context_size = UInt32(size)
            $0.batch_size = 512
            $0.micro_batch_size = 512
            $0.type_k = type
            $0.type_v = type
        }
    }

    private func total(_ devices: [cl_device_memory], _ part: (cl_device_memory) -> UInt64) -> UInt64 {
        devices.map(part).reduce(0, +)
    }

    @Test(
        "The measured bytes are those of a real context",
        arguments: [CL_KV_F16, CL_KV_Q8_0].map(\.rawValue), [512, 1024, 2048])
    func real(type: UInt32, size: Int) throws {
        let params = Self.parameters(size, cl_kv_type(rawValue: type))
        let measured = try Outline(Files.pocketModel).measure(params)
        let real = try Context(Model(Files.pocketModel, usesMemoryMap: false), params).measure()
        #expect(measured.count == real.count)
        #expect(total(measured, \.model) == total(real, \.model))
        #expect(total(measured, \.model) > 0)
        #expect(total(measured, \.context) == total(real, \.context))
        #expect(total(measured, \.context) > 0)
        let (compute, realCompute) = (Double(total(measured, \.compute)), Double(total(real, \.compute)))
        #expect(abs(compute - realCompute) <= 0.03 * realCompute)
    }

    @Test("A cache grows with the context, and blocks of 8 bits take about half of it")
    func growth() throws {
        let outline = try Outline(Files.pocketModel)
        let small = try total(outline.measure(Self.parameters(512)), \.context)
        let large = try total(outline.measure(Self.parameters(2048)), \.context)
        #expect(large == 4 * small)
        let blocks = try total(outline.measure(Self.parameters(2048, CL_KV_Q8_0)), \.context)
        #expect(blocks * 32 == large * 17)
    }

    @Test("Every kind of memory is measured as it is made", arguments: ["recurrent", "windowed"])
    func kinds(kind: String) throws {
        let builder =
            kind == "recurrent"
            ? TinyModel.recurrent(letters: [1, 2, 3]) : TinyModel.windowed(letters: [1, 2, 3], window: 16)
        try Files.with(builder.data) { url in
            let params = Self.parameters(256)
            let measured = try Outline(url).measure(params)
            let real = try Context(Model(url, usesMemoryMap: false), params).measure()
            #expect(total(measured, \.context) == total(real, \.context))
            #expect(total(measured, \.model) == total(real, \.model))
        }
    }

    @Test("The host comes first and says what it has; a list that is too short is not overrun")
    func devices() throws {
        let outline = try Outline(Files.pocketModel)
        let devices = try outline.measure(Self.parameters(512))
        let host = try #require(devices.first)
        #expect(host.kind == CL_DEVICE_HOST)
        #expect(String(cString: host.name) == "CPU")
        #expect(host.total > 0)
        #expect(host.maximum_buffer == 0)
        // No tensor is larger than all of them, and keys are as large as values.
        #expect(host.largest_tensor > 0 && host.largest_tensor <= max(host.model, host.context))
        var params = Self.parameters(512)
        var count = 0
        #expect(cl_outline_measure(outline.raw, &params, nil, 0, &count) == CL_OK)
        #expect(count == devices.count)
    }

    /// The shape of a 7B model without grouped heads: 32 layers with keys and values of 4096.
    private static func wide() -> GGUFBuilder {
        var builder = TinyModel.builder(letters: [1, 2])
        builder.set("llama.context_length", .uint32(32_768))
        builder.set("llama.block_count", .uint32(32))
        builder.set("llama.attention.head_count", .uint32(32))
        builder.set("llama.attention.key_length", .uint32(128))
        builder.set("llama.attention.value_length", .uint32(128))
        builder.set("llama.rope.dimension_count", .uint32(128))
        builder.tensors.removeAll { $0.name.hasPrefix("blk.") }
        for layer in 0..<32 {
            for name in ["attn_norm", "ffn_norm"] {
                builder.add("blk.\(layer).\(name).weight", [TinyModel.width]) { _ in 1 }
            }
            for name in ["ffn_gate", "ffn_up", "ffn_down"] {
                builder.add("blk.\(layer).\(name).weight", [TinyModel.width, TinyModel.width]) { _ in 0 }
            }
            for name in ["attn_q", "attn_k", "attn_v", "attn_output"] {
                let dimensions = name == "attn_output" ? [4096, TinyModel.width] : [TinyModel.width, 4096]
                // 4-bit blocks, so that the file stays small.
                builder.tensors.append(
                    GGUFBuilder.Tensor(
                        name: "blk.\(layer).\(name).weight", dimensions: dimensions.map(UInt64.init), type: 2,
                        bytes: Data(count: 4096 * TinyModel.width / 32 * 18)))
            }
        }
        return builder
    }

    @Test("X12: the cache of a 7B model without grouped heads is measured, though it fits no small device")
    func wideHeads() throws {
        try Files.with(Self.wide().data) { url in
            let outline = try Outline(url)
            #expect(outline.trainingContext == 32_768)
            let host = try #require(try outline.measure(Self.parameters(32_768)).first)
            #expect(host.context == 16 << 30)
            // What a device with a limit on single buffers has to give in one piece.
            #expect(host.largest_tensor == 32_768 * 4096 * 2)
        }
    }

    @Test("Predictions without layers for them are refused, as a context is")
    func noPredictionLayers() throws {
        let outline = try Outline(Files.pocketModel)
        var params = Self.parameters(512)
        params.prediction_tokens = 2
        #expect(status { _ = try outline.measure(params) } == CL_CONTEXT_INIT_FAILED)
        params.prediction_tokens = 0
        #expect(try total(outline.measure(params), \.context) > 0)
    }

    @Test("A file that cannot be loaded cannot be measured", arguments: [0, 4, 100, 5000, 30_000, -1])
    func truncated(length: Int) throws {
        let whole = try Data(contentsOf: Files.pocketModel)
        try Files.with(whole.prefix(length < 0 ? whole.count - 1 : length)) { url in
            #expect(status { _ = try Outline(url) } == CL_MODEL_LOAD_FAILED)
            #expect(!reason { _ = try Outline(url) }.isEmpty)
        }
    }

    @Test("Impossible parameters are refused, with the statuses of a context")
    func parameters() throws {
        let outline = try Outline(Files.pocketModel)
        let changes: [(cl_status, (inout cl_context_params) -> Void)] = [
            (CL_INVALID_ARGUMENT, { $0.context_size = 0 }), (CL_INVALID_ARGUMENT, { $0.micro_batch_size = 0 }),
            (CL_INVALID_ARGUMENT, { $0.type_k = cl_kv_type(rawValue: 77) }),
            (
                CL_CONTEXT_UNSUPPORTED,
                {
                    $0.type_v = CL_KV_Q8_0
                    $0.flash_attention = CL_FLASH_ATTENTION_DISABLED
                }
            ),
        ]
        for (expected, change) in changes {
            var params = Self.parameters(512)
            change(&params)
            #expect(status { _ = try outline.measure(params) } == expected)
        }
        #expect(try outline.measure(Self.parameters(512)).count >= 1)
    }

    @Test("A vocabulary alone and models on servers are refused")
    func refused() throws {
        #expect(status { _ = try Outline(Files.pocketModel) { $0.vocab_only = true } } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try Outline(Files.pocketModel) { $0.server_count = 1 } } == CL_INVALID_ARGUMENT)
    }

    @Test("Measuring leaves nothing behind: contexts of the same file work as before")
    func beside() throws {
        let outline = try Outline(Files.pocketModel)
        let context = try Context(Model(Files.pocketModel))
        for size in [512, 2048, 512] {
            _ = try outline.measure(Self.parameters(size))
            try context.append([1, 2])
        }
    }
}
