import CLlama
import Foundation

/// LoRA adapters for the models of ``TinyModel``.
enum TinyAdapter {
    /// An adapter that adds these numbers to the logits.
    ///
    /// Before the output matrix all models have ones, which A turns into a single 1 that B multiplies.
    static func builder(shift: [Float], architecture: String = "llama") -> GGUFBuilder {
        var builder = GGUFBuilder()
        builder.set("general.type", .string("adapter"))
        builder.set("general.architecture", .string(architecture))
        builder.set("adapter.type", .string("lora"))
        builder.set("adapter.lora.alpha", .float32(1))
        builder.add("output.weight.lora_a", [TinyModel.width, 1]) { _ in 1 / Float(TinyModel.width) }
        builder.add("output.weight.lora_b", [1, shift.count]) { shift[$0] }
        return builder
    }
}

extension Model {
    /// Adds the adapter in a file that exists only while it is loaded.
    func add(_ adapter: GGUFBuilder) throws {
        try Files.with(adapter.data) { try check(cl_model_add_adapter(raw, $0.path)) }
    }

    var adapterCount: Int { cl_model_adapter_count(raw) }
}

extension Context {
    func setAdapters(_ scales: [Float]) throws {
        try check(cl_context_set_adapters(raw, scales, scales.count))
    }
}
