import CLlama
import Foundation
import Testing

@Suite("Creating contexts", .needsRuntime)
struct ContextTests {
    private let model: Model

    init() throws {
        model = try Model(Files.pocketModel)
    }

    @Test("The asked size is there, rounded up")
    func size() throws {
        let context = try Context(model, Context.parameters { $0.context_size = 300 })
        #expect(context.size == 512)
        #expect(!context.keepsState)
    }

    private static let bad: [(String, @Sendable (inout cl_context_params) -> Void)] = [
        ("no cells", { $0.context_size = 0 }), ("too many cells", { $0.context_size = (1 << 24) + 1 }),
        ("no batch", { $0.batch_size = 0 }), ("no micro-batch", { $0.micro_batch_size = 0 }),
        ("micro-batch above batch", { $0.micro_batch_size = 65 }), ("no sequence", { $0.maximum_sequences = 0 }),
        ("65 sequences", { $0.maximum_sequences = 65 }), ("no thread", { $0.threads = 0 }),
        ("negative threads", { $0.batch_threads = -4 }), ("too many threads", { $0.threads = 513 }),
        ("unknown type", { $0.type_k = cl_kv_type(rawValue: 77) }),
        ("unknown mode", { $0.flash_attention = cl_flash_attention(rawValue: 77) }),
    ]

    @Test("Impossible parameters are refused", arguments: bad.indices)
    func parameters(index: Int) {
        let (_, change) = Self.bad[index]
        #expect(status { _ = try Context(model, Context.parameters(change)) } == CL_INVALID_ARGUMENT)
    }

    @Test(
        "Every type of cache computes", arguments: [CL_KV_F16, CL_KV_BF16, CL_KV_Q8_0, CL_KV_Q4_0].map(\.rawValue))
    func types(type: UInt32) throws {
        let context = try Context(
            model,
            Context.parameters {
                $0.type_k = cl_kv_type(rawValue: type)
                $0.type_v = cl_kv_type(rawValue: type)
            })
        try context.append([1, 2, 3])
        #expect(context.logits(2)?.allSatisfy(\.isFinite) == true)
    }

    @Test("A quantised value cache without flash attention is refused with llama.cpp's reason")
    func quantised() {
        let reason = reason {
            _ = try Context(
                model,
                Context.parameters {
                    $0.type_v = CL_KV_Q8_0
                    $0.flash_attention = CL_FLASH_ATTENTION_DISABLED
                })
        }
        #expect(reason.contains("flash_attn"))
    }

    @Test("Threads can be changed, within bounds")
    func threads() throws {
        let context = try Context(model)
        #expect(context.setThreads(0, 1) == CL_INVALID_ARGUMENT)
        #expect(context.setThreads(1, 1000) == CL_INVALID_ARGUMENT)
        #expect(context.setThreads(1, 1) == CL_OK)
        try context.append([1])
    }

    @Test("Threads can be changed before every batch, to few and many and back")
    func changingThreads() throws {
        let context = try Context(model)
        for round in 0..<60 {
            #expect(context.setThreads([1, 2, 3][round % 3], [2, 1, 1][round % 3]) == CL_OK)
            try context.append([1])
        }
    }

    @Test("Recurrent models say that they keep state")
    func recurrent() throws {
        let model = try Files.model(TinyModel.recurrent(letters: [1, 2, 3]).data)
        #expect(model.info.is_recurrent)
        #expect(try Context(model).keepsState)
    }
}
