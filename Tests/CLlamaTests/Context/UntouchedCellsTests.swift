#if os(Linux)
    import CLlama
    import Foundation
    import Testing

    @Suite("Memory of cells", .needsRuntime)
    struct UntouchedCellsTests {
        /// Kibibytes that the largest piece of writable memory without a file has, but that are not resident.
        private func largestUntouched() throws -> Int {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
            let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            var isWritable = false
            var size = 0
            var largest = 0
            for line in maps.split(separator: "\n") {
                let fields = line.split(separator: " ")
                if fields.first?.contains("-") == true {
                    isWritable = fields.count == 5 && fields[1].hasPrefix("rw")
                } else if fields.first == "Size:", let found = Int(fields[1]) {
                    size = found
                } else if isWritable, fields.first == "Rss:", let resident = Int(fields[1]) {
                    largest = max(largest, size - resident)
                }
            }
            return largest
        }

        @Test("Cells that no token was computed in are no memory, nor after they were cleared")
        func untouched() throws {
            try Files.with(TinyModel.builder(letters: [1, 3, 2]).data) { url in
                // Of 128 bytes each: more than any stack.
                let cells: Int32 = 3 << 20
                let params = Context.parameters { $0.context_size = UInt32(cells) }
                let context = try Context(try Model(url), params)
                #expect(try largestUntouched() > 120 * Int(cells) / 1024)
                try context.append([3])
                #expect(try Sampler(context.model).sample(context) == TinyModel.letter("b"))
                cl_memory_clear(context.raw)
                #expect(try largestUntouched() > 120 * Int(cells) / 1024)
            }
        }
    }
#endif
