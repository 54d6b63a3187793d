import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct GGUFModelSummaryTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static func model(tensor: UInt64, _ more: [(String, GGUFBuilder.Value)] = []) -> GGUFBuilder {
        .model(more).adding(.float32("t\(tensor)", dimensions: [tensor]))
    }

    @Test("counts elements and bytes, and names the tokenizer")
    func single() throws {
        let model = Self.model(tensor: 96, [("tokenizer.ggml.model", .string("gpt2"))])
        let summary = try GGUFModelSummary(modelAt: try folder.write(model, to: "m-Q4_0.gguf"))
        #expect(summary.parameterCount == 96)
        #expect(summary.fileSize == UInt64(model.bytes().count))
        #expect(summary.tokenizerModel == "gpt2")
        #expect(summary.metadata.quantization == "Q4_0")
    }

    @Test("adds up all parts, whichever is named")
    func parts() throws {
        let parts: [GGUFBuilder] = (0..<2).map { (number: Int) -> GGUFBuilder in
            let split: [(String, GGUFBuilder.Value)] = [
                ("split.no", .uint16(UInt16(number))), ("split.count", .uint16(2)),
            ]
            return Self.model(tensor: UInt64(32 * (number + 1)), split)
        }
        for (index, part) in parts.enumerated() { try folder.write(part, to: "m-0000\(index + 1)-of-00002.gguf") }
        let bytes = parts.reduce(UInt64(0)) { $0 + UInt64($1.bytes().count) }
        for index in 1...2 {
            let summary = try GGUFModelSummary(modelAt: folder.place("m-0000\(index)-of-00002.gguf"))
            #expect(summary.parameterCount == 96)
            #expect(summary.fileSize == bytes)
            #expect(summary.metadata.splitCount == 2)
            #expect(summary.metadata.splitIndex == 0)
        }
    }

    @Test("a missing part and a broken file are errors")
    func failures() throws {
        let part = Self.model(tensor: 32, [("split.no", .uint16(0)), ("split.count", .uint16(2))])
        let url = try folder.write(part, to: "m-00001-of-00002.gguf")
        #expect(throws: GGUFReaderError.self) { try GGUFModelSummary(modelAt: url) }
        let text = try folder.write("hello", to: "text.gguf")
        #expect(throws: GGUFReaderError.self) { try GGUFModelSummary(modelAt: text) }
        #expect(throws: GGUFReaderError.self) { try GGUFModelSummary(modelAt: folder.place("none.gguf")) }
    }
}
