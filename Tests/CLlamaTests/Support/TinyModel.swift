import Foundation

/// Models of a few kilobytes that give the same chosen logits after every token.
///
/// All layers contribute nothing and every token is embedded alike, so the logits are just the rows of the output
/// matrix.
enum TinyModel {
    static let width = 32

    /// "<unk>", "<s>", "</s>" (which ends a reply) and then single letters from "a" on.
    static func vocabulary(_ count: Int) -> [String] {
        ["<unk>", "<s>", "</s>"] + (0..<count - 3).map { String(UnicodeScalar(UInt8(97 + $0))) }
    }

    /// Token id of a letter of `vocabulary`.
    static func letter(_ character: Character) -> Int32 {
        Int32(character.asciiValue ?? 0) - 97 + 3
    }

    /// A `llama` model with these logits for the letters; the three special tokens are far below unless given.
    static func builder(letters: [Float], special: [Float] = [-1000, -1000, -1000]) -> GGUFBuilder {
        var builder = base(architecture: "llama", logits: special + letters)
        builder.set("llama.feed_forward_length", .uint32(32))
        builder.set("llama.attention.head_count", .uint32(1))
        builder.set("llama.rope.dimension_count", .uint32(32))
        for name in ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"] {
            builder.add("blk.0.\(name).weight", [width, width]) { _ in 0 }
        }
        builder.add("blk.0.ffn_norm.weight", [width]) { _ in 1 }
        return builder
    }

    /// A recurrent model: its state cannot be cut.
    static func recurrent(letters: [Float]) -> GGUFBuilder {
        var builder = base(architecture: "mamba", logits: [-1000, -1000, -1000] + letters)
        let (inner, state, rank, kernel) = (64, 16, 2, 4)
        builder.set("mamba.ssm.conv_kernel", .uint32(UInt32(kernel)))
        builder.set("mamba.ssm.inner_size", .uint32(UInt32(inner)))
        builder.set("mamba.ssm.state_size", .uint32(UInt32(state)))
        builder.set("mamba.ssm.time_step_rank", .uint32(UInt32(rank)))
        let shapes: [(String, [Int])] = [
            ("ssm_in.weight", [width, 2 * inner]), ("ssm_conv1d.weight", [kernel, inner]),
            ("ssm_conv1d.bias", [inner]), ("ssm_x.weight", [inner, rank + 2 * state]),
            ("ssm_dt.weight", [rank, inner]), ("ssm_dt.bias", [inner]), ("ssm_a", [state, inner]),
            ("ssm_d", [inner]), ("ssm_out.weight", [inner, width]),
        ]
        for (name, shape) in shapes {
            builder.add("blk.0.\(name)", shape) { _ in 0 }
        }
        return builder
    }

    /// A `gemma2` model whose every other layer looks back on `window` tokens only.
    static func windowed(letters: [Float], window: Int) -> GGUFBuilder {
        var builder = base(architecture: "gemma2", logits: [-1000, -1000, -1000] + letters)
        builder.set("gemma2.block_count", .uint32(2))
        builder.set("gemma2.feed_forward_length", .uint32(32))
        builder.set("gemma2.attention.head_count", .uint32(1))
        builder.set("gemma2.attention.sliding_window", .uint32(UInt32(window)))
        builder.add("blk.1.attn_norm.weight", [width]) { _ in 1 }
        for layer in 0..<2 {
            for name in ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"] {
                builder.add("blk.\(layer).\(name).weight", [width, width]) { _ in 0 }
            }
            for name in ["post_attention_norm", "ffn_norm", "post_ffw_norm"] {
                builder.add("blk.\(layer).\(name).weight", [width]) { _ in 1 }
            }
        }
        builder.tensors.removeAll { $0.name == "output.weight" }
        return builder
    }

    private static func base(architecture: String, logits: [Float]) -> GGUFBuilder {
        var builder = GGUFBuilder()
        builder.set("general.architecture", .string(architecture))
        builder.set("\(architecture).context_length", .uint32(256))
        builder.set("\(architecture).embedding_length", .uint32(UInt32(width)))
        builder.set("\(architecture).block_count", .uint32(1))
        builder.set("\(architecture).attention.layer_norm_rms_epsilon", .float32(1e-9))
        builder.set("tokenizer.ggml.model", .string("llama"))
        builder.set("tokenizer.ggml.tokens", .strings(vocabulary(logits.count)))
        builder.set("tokenizer.ggml.scores", .floats(logits.indices.map { -Float($0) }))
        builder.set("tokenizer.ggml.token_type", .ints([2, 3, 3] + logits.dropFirst(3).map { _ in 1 }))
        builder.add("token_embd.weight", [width, logits.count]) { _ in 1 }
        builder.add("output_norm.weight", [width]) { _ in 1 }
        builder.add("output.weight", [width, logits.count]) { logits[$0 / width] / Float(width) }
        builder.add("blk.0.attn_norm.weight", [width]) { _ in 1 }
        return builder
    }
}
