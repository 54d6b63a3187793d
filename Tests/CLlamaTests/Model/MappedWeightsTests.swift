#if os(Linux)
    import CLlama
    import Foundation
    import Testing

    /// The whole of a file of the kernel's, whose size is not known before.
    private func contents(of path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Kibibytes of a mapped file that count as this process's memory; nil when it is not mapped.
    private func residentKibibytes(of url: URL) throws -> Int? {
        let maps = try contents(of: "/proc/self/smaps")
        var isInside = false
        var total: Int?
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.first?.contains("-") == true {
                isInside = line.hasSuffix(url.lastPathComponent)
            } else if isInside, fields.first == "Rss:", let size = Int(fields[1]) {
                total = (total ?? 0) + size
            }
        }
        return total
    }

    extension Trait where Self == ConditionTrait {
        /// Runs only on processors for which ggml copies weights of some types into another layout.
        fileprivate static var needsRepacking: Self {
            .enabled("the processor reads weights as they are in the file") {
                try contents(of: "/proc/cpuinfo").contains(" avx2 ")
            }
        }
    }

    @Suite("Memory of mapped weights", .needsRuntime)
    struct MappedWeightsTests {
        /// A model whose feed-forward weights have that many columns, in ggml's type of that number.
        private static func builder(columns: Int, type: UInt32, blockBytes: Int) -> GGUFBuilder {
            var builder = TinyModel.builder(letters: [1, 3, 2])
            builder.set("llama.feed_forward_length", .uint32(UInt32(columns)))
            for name in ["ffn_gate", "ffn_up", "ffn_down"] {
                builder.replace("blk.0.\(name).weight") { tensor in
                    let isDown = name == "ffn_down"
                    tensor.dimensions = (isDown ? [columns, TinyModel.width] : [TinyModel.width, columns]).map(
                        UInt64.init)
                    tensor.type = type
                    tensor.bytes = Data(count: columns * TinyModel.width / 32 * blockBytes)
                }
            }
            return builder
        }

        // MXFP4, which ggml copies also where it reads the other types as they are.
        private static let quantised = builder(columns: 1 << 16, type: 39, blockBytes: 17)

        @Test("Weights that were copied do not count twice", .needsRepacking)
        func copied() throws {
            try Files.with(Self.quantised.data) { url in
                let model = try Model(url)
                let resident = try #require(try residentKibibytes(of: url))
                #expect(resident < 200)
                let context = try Context(model)
                try context.append([3])
                #expect(try Sampler(model).sample(context) == TinyModel.letter("b"))
                // The norms between them were read now.
                #expect(try #require(try residentKibibytes(of: url)) < 200)
            }
        }

        @Test("Weights that are read from the file stay in memory")
        func used() throws {
            // 32-bit floats have no other layout.
            let data = Self.builder(columns: 1 << 14, type: 0, blockBytes: 128).data
            try Files.with(data) { url in
                let model = try Model(url)
                let resident = try #require(try residentKibibytes(of: url))
                #expect(resident > data.count / 1024 - 64)
                withExtendedLifetime(model) {}
            }
        }
    }
#endif
