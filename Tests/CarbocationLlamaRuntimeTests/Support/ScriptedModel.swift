import CarbocationLlamaRuntime
import Foundation
import TestSupport

/// A model of a few kilobytes that goes on from each token as a table says.
///
/// Its layers contribute nothing, so that the logits depend on the last token alone.
struct ScriptedModel {
    private static let width = 64
    private static let reserved = ["<unk>", "<s>", "</s>"]

    /// Tokens that only control, such as `<|end|>`.
    var controlTokens: [String]
    /// What the model likes best after a token, then second best, and so on.
    ///
    /// Tokens that are no control tokens are words.
    var next: [String: [String]]
    var template: String

    /// An engine with the model loaded.
    func engine() async throws -> LlamaEngine {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try builder.write(to: url)
        let engine = LlamaEngine(configuration: LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1))
        try await engine.load(modelAt: url, requestedContext: 256)
        return engine
    }

    private var tokens: [String] {
        let words = Set(next.keys).union(next.values.joined()).subtracting(controlTokens).subtracting(Self.reserved)
        return Self.reserved + controlTokens + words.sorted()
    }

    private var builder: GGUFBuilder {
        let tokens = tokens
        var builder = GGUFBuilder()
        builder.add("general.architecture", .string("llama"))
        let sizes = [
            ("context_length", 512), ("embedding_length", Self.width), ("block_count", 1), ("feed_forward_length", 32),
            ("attention.head_count", 2), ("rope.dimension_count", 32),
        ]
        for (key, size) in sizes { builder.add("llama.\(key)", .uint32(UInt32(size))) }
        builder.add("llama.attention.layer_norm_rms_epsilon", .float32(1e-9))
        builder.add("tokenizer.ggml.model", .string("llama"))
        builder.add("tokenizer.ggml.add_space_prefix", .bool(0))
        builder.add("tokenizer.ggml.tokens", .strings(tokens))
        builder.add("tokenizer.ggml.scores", .array(type: 6, tokens.indices.map { .float32(-Float($0)) }))
        builder.add("tokenizer.ggml.token_type", .int32s(tokens.map(type)))
        builder.add("tokenizer.chat_template", .string(template))
        add(matrix(tokens.count) { $0 == $1 ? 1 : 0 }, "token_embd.weight", [Self.width, tokens.count], to: &builder)
        add(preferences(tokens), "output.weight", [Self.width, tokens.count], to: &builder)
        for name in ["output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"] {
            add([Float](repeating: 1, count: Self.width), "\(name).weight", [Self.width], to: &builder)
        }
        for name in ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"] {
            let shape = name == "ffn_down" ? [32, Self.width] : name.hasPrefix("ffn") ? [Self.width, 32] : nil
            let dimensions = shape ?? [Self.width, Self.width]
            let zeros = [Float](repeating: 0, count: dimensions.reduce(1, *))
            add(zeros, "blk.0.\(name).weight", dimensions, to: &builder)
        }
        return builder
    }

    /// Words are tokens of their own, because a vocabulary without their parts could not put them together.
    private func type(of token: String) -> Int32 {
        if token == "<unk>" { return 2 }
        if Self.reserved.contains(token) || controlTokens.contains(token) { return 3 }
        return token.count == 1 && token != " " ? 1 : 4
    }

    /// A row of numbers for each token.
    private func matrix(_ rows: Int, _ element: (_ row: Int, _ column: Int) -> Float) -> [Float] {
        (0..<rows).flatMap { row in (0..<Self.width).map { element(row, $0) } }
    }

    private func preferences(_ tokens: [String]) -> [Float] {
        matrix(tokens.count) { token, last in
            guard last < tokens.count, let choices = next[tokens[last]] else { return tokens[token] == "</s>" ? 1 : 0 }
            return choices.firstIndex(of: tokens[token]).map { 1 - Float($0) / 16 } ?? -1
        }
    }

    private func add(_ values: [Float], _ name: String, _ dimensions: [Int], to builder: inout GGUFBuilder) {
        let data = values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init) }
        builder.add(GGUFBuilder.Tensor(name, dimensions: dimensions.map(UInt64.init), type: 0, data: data))
    }
}
