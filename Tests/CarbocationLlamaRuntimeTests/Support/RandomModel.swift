import Foundation
import TestSupport

@testable import CarbocationLlamaRuntime

/// Models of a few kilobytes with random weights, one for each kind of memory, whose logits depend on every token.
enum RandomModel: String {
    /// Every layer keeps every token.
    case llama
    /// Every other layer looks back on a window of `window` tokens.
    case gemma2
    /// A state instead of a cache.
    case mamba
    /// One layer with a state, one with a cache.
    case lfm2
    /// A layer that predicts a further token, beside layers that keep every token.
    case glm4moe
    /// The same beside a layer with a state.
    case qwen35

    /// Those without prediction layers.
    static let allCases: [RandomModel] = [.llama, .gemma2, .mamba, .lfm2]

    static let window = 16
    static let width = 32
    static let vocabularySize = 32

    /// Writes every message as its text and `</s>`.
    static let chatTemplate = "{% for message in messages %}{{ message.content }}</s>{% endfor %}"

    func write(to url: URL) throws {
        try file().write(to: url)
    }

    /// Other seeds give other weights.
    func load(seed: UInt64 = 3, predicts: Bool = false) throws -> NativeModel {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try file(seed: seed).write(to: url)
        return try NativeModel(path: url.path, usesMemoryMap: false, predicts: predicts)
    }

    func file(seed: UInt64 = 3) -> GGUFBuilder {
        var weights = Weights(architecture: rawValue, seed: seed)
        switch self {
        case .glm4moe: weights.addPredictingExperts()
        case .qwen35: weights.addPredictingHybrid()
        case .llama: weights.addTransformer(layers: 2)
        case .gemma2:
            weights.set("attention.sliding_window", .uint32(UInt32(Self.window)))
            weights.addTransformer(layers: 2, isGemma: true)
        case .mamba: weights.addMamba()
        case .lfm2: weights.addHybrid()
        }
        return weights.builder
    }
}

/// Collects keys and random tensors.
private struct Weights {
    private(set) var builder = GGUFBuilder()
    private let architecture: String
    private var generator: SeededGenerator
    private let width = RandomModel.width

    init(architecture: String, seed: UInt64) {
        self.architecture = architecture
        generator = SeededGenerator(seed: seed)
        let size = RandomModel.vocabularySize
        let letters = (3..<size).map { String(UnicodeScalar(UInt8($0 + 62))) }
        builder.add("general.architecture", .string(architecture))
        set("context_length", .uint32(512))
        set("embedding_length", .uint32(UInt32(width)))
        set("attention.layer_norm_rms_epsilon", .float32(1e-5))
        builder.add("tokenizer.ggml.model", .string("llama"))
        builder.add("tokenizer.ggml.add_space_prefix", .bool(0))
        builder.add("tokenizer.chat_template", .string(RandomModel.chatTemplate))
        builder.add("tokenizer.ggml.tokens", .strings(["<unk>", "<s>", "</s>"] + letters))
        builder.add("tokenizer.ggml.scores", .array(type: 6, (0..<size).map { .float32(-Float($0)) }))
        builder.add("tokenizer.ggml.token_type", .int32s([2, 3, 3] + letters.map { _ in 1 }))
        add("token_embd.weight", [width, size], -1...1)
        if architecture != "gemma2" { add("output.weight", [width, size], -1...1) }
    }

    mutating func set(_ key: String, _ value: GGUFBuilder.Value) {
        builder.add("\(architecture).\(key)", value)
    }

    mutating func add(_ name: String, _ dimensions: [Int], _ range: ClosedRange<Float> = -0.4...0.4) {
        var data: [UInt8] = []
        for _ in 0..<dimensions.reduce(1, *) {
            withUnsafeBytes(of: Float.random(in: range, using: &generator).bitPattern.littleEndian) { data += $0 }
        }
        builder.add(GGUFBuilder.Tensor(name, dimensions: dimensions.map(UInt64.init), type: 0, data: data))
    }

    mutating func addTransformer(layers: Int, predicting: Int = 0, isGemma: Bool = false) {
        set("block_count", .uint32(UInt32(layers + predicting)))
        set("feed_forward_length", .uint32(UInt32(width)))
        set("attention.head_count", .uint32(2))
        set("rope.dimension_count", .uint32(16))
        add("output_norm.weight", [width], 1...1)
        for layer in 0..<layers {
            addAttention(layer)
            addFeedForward(layer, isNormed: predicting == 0)
            for name in isGemma ? ["post_attention_norm", "post_ffw_norm"] : [] {
                add("blk.\(layer).\(name).weight", [width], 1...1)
            }
        }
    }

    mutating func addMamba() {
        let (inner, state, rank, kernel) = (64, 16, 2, 4)
        set("block_count", .uint32(1))
        for (key, value) in [
            ("conv_kernel", kernel), ("inner_size", inner), ("state_size", state), ("time_step_rank", rank),
        ] { set("ssm.\(key)", .uint32(UInt32(value))) }
        add("output_norm.weight", [width], 1...1)
        add("blk.0.attn_norm.weight", [width], 1...1)
        for (name, shape) in [
            ("ssm_in.weight", [width, 2 * inner]), ("ssm_conv1d.weight", [kernel, inner]), ("ssm_conv1d.bias", [inner]),
            ("ssm_x.weight", [inner, rank + 2 * state]), ("ssm_dt.weight", [rank, inner]), ("ssm_dt.bias", [inner]),
            ("ssm_d", [inner]), ("ssm_out.weight", [inner, width]),
        ] { add("blk.0.\(name)", shape) }
        add("blk.0.ssm_a", [state, inner], -0.2 ... -0.01)
    }

    mutating func addHybrid() {
        set("block_count", .uint32(2))
        set("feed_forward_length", .uint32(UInt32(width)))
        set("attention.head_count", .uint32(2))
        set("attention.head_count_kv", .int32s([0, 2]))
        set("shortconv.l_cache", .uint32(3))
        add("token_embd_norm.weight", [width], 1...1)
        add("blk.0.attn_norm.weight", [width], 1...1)
        add("blk.0.shortconv.conv.weight", [3, width])
        add("blk.0.shortconv.in_proj.weight", [width, 3 * width])
        add("blk.0.shortconv.out_proj.weight", [width, width])
        addFeedForward(0)
        addAttention(1)
        for name in ["attn_q_norm", "attn_k_norm"] { add("blk.1.\(name).weight", [width / 2], 1...1) }
        addFeedForward(1)
    }

    /// Two dense layers, and a predicting one with experts.
    mutating func addPredictingExperts() {
        addTransformer(layers: 2, predicting: 1)
        for (key, value) in [
            ("nextn_predict_layers", 1), ("attention.head_count_kv", 2), ("leading_dense_block_count", 2),
            ("expert_count", 2), ("expert_used_count", 1), ("expert_shared_count", 1),
            ("expert_feed_forward_length", width),
        ] { set(key, .uint32(UInt32(value))) }
        for layer in 0..<3 { add("blk.\(layer).post_attention_norm.weight", [width], 1...1) }
        addAttention(2)
        add("blk.2.ffn_gate_inp.weight", [width, 2])
        add("blk.2.exp_probs_b.bias", [2])
        for name in ["ffn_gate", "ffn_up", "ffn_down"] {
            add("blk.2.\(name)_exps.weight", [width, width, 2])
            add("blk.2.\(name)_shexp.weight", [width, width])
        }
        addPrediction(2)
    }

    /// A layer with a state, one with a cache, and a predicting one.
    mutating func addPredictingHybrid() {
        let (head, heads, kernel) = (16, 2, 4)
        for (key, value) in [
            ("block_count", 3), ("nextn_predict_layers", 1), ("feed_forward_length", width),
            ("attention.head_count", heads), ("attention.head_count_kv", heads), ("attention.key_length", head),
            ("attention.value_length", head), ("full_attention_interval", 2), ("ssm.conv_kernel", kernel),
            ("ssm.inner_size", width), ("ssm.state_size", head), ("ssm.time_step_rank", heads),
            ("ssm.group_count", heads),
        ] { set(key, .uint32(UInt32(value))) }
        set("rope.dimension_sections", .int32s([4, 2, 2, 0]))
        set("rope.dimension_count", .uint32(16))
        add("output_norm.weight", [width], 1...1)
        add("blk.0.attn_norm.weight", [width], 1...1)
        for (name, shape) in [
            ("attn_qkv.weight", [width, 3 * width]), ("attn_gate.weight", [width, width]),
            ("ssm_conv1d.weight", [kernel, 3 * width]), ("ssm_dt.bias", [heads]), ("ssm_beta.weight", [width, heads]),
            ("ssm_alpha.weight", [width, heads]), ("ssm_norm.weight", [head]), ("ssm_out.weight", [width, width]),
        ] { add("blk.0.\(name)", shape) }
        add("blk.0.ssm_a", [heads], -0.2 ... -0.01)
        for layer in 1...2 {
            addAttention(layer, queryWidth: 2 * width)
            for name in ["attn_q_norm", "attn_k_norm"] { add("blk.\(layer).\(name).weight", [head], 1...1) }
        }
        for layer in 0...2 {
            add("blk.\(layer).post_attention_norm.weight", [width], 1...1)
            addFeedForward(layer, isNormed: false)
        }
        addPrediction(2)
    }

    private mutating func addPrediction(_ layer: Int) {
        add("blk.\(layer).nextn.eh_proj.weight", [2 * width, width])
        for name in ["enorm", "hnorm"] { add("blk.\(layer).nextn.\(name).weight", [width], 1...1) }
    }

    private mutating func addAttention(_ layer: Int, queryWidth: Int? = nil) {
        add("blk.\(layer).attn_norm.weight", [width], 1...1)
        add("blk.\(layer).attn_q.weight", [width, queryWidth ?? width])
        for name in ["attn_k", "attn_v", "attn_output"] {
            add("blk.\(layer).\(name).weight", [width, width])
        }
    }

    private mutating func addFeedForward(_ layer: Int, isNormed: Bool = true) {
        if isNormed { add("blk.\(layer).ffn_norm.weight", [width], 1...1) }
        for name in ["ffn_gate", "ffn_up", "ffn_down"] { add("blk.\(layer).\(name).weight", [width, width]) }
    }
}
