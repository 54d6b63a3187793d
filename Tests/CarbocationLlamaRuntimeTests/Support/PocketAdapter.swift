import CarbocationLlamaRuntime
import Foundation
import TestSupport

/// LoRA adapters for ``PocketModel``, in a folder that goes with their last user.
final class PocketAdapter {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// An adapter of the second layer with random numbers in A, and in B up to `strength`.
    static func builder(strength: Float, architecture: String = "qwen3") -> GGUFBuilder {
        var generator = SeededGenerator(seed: 11)
        var builder = GGUFBuilder()
        builder.add("general.type", .string("adapter"))
        builder.add("general.architecture", .string(architecture))
        builder.add("adapter.type", .string("lora"))
        builder.add("adapter.lora.alpha", .float32(4))
        for (name, dimensions, range) in [
            ("a", [256, 4], Float(1)), ("b", [4, 128], strength),
        ] {
            var data: [UInt8] = []
            for _ in 0..<dimensions.reduce(1, *) {
                let value = Float.random(in: -1...1, using: &generator) * range
                withUnsafeBytes(of: value.bitPattern.littleEndian) { data += $0 }
            }
            builder.add(
                GGUFBuilder.Tensor(
                    "blk.1.ffn_down.weight.lora_\(name)", dimensions: dimensions.map(UInt64.init), type: 0, data: data))
        }
        return builder
    }

    /// A file with these bytes.
    func write(_ data: some Sequence<UInt8>, _ name: String = "adapter.gguf") throws -> URL {
        let url = folder.appendingPathComponent(name)
        try Data(data).write(to: url)
        return url
    }
}
