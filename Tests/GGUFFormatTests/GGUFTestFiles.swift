import Foundation
import GGUFFormat
import TestSupport

/// A file on disk that exists while `body` runs.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gguf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

extension GGUFBuilder {
    func header(capture: GGUFCapture = .all()) throws(GGUFReaderError) -> GGUFHeader {
        try GGUFFile.header(of: MemoryByteSource(bytes()), capture: capture)
    }

    func facts(fileName: String? = nil) throws(GGUFReaderError) -> GGUFModelFacts {
        GGUFModelFacts(header: try header(capture: .modelFacts), fileName: fileName)
    }

    func check(_ purpose: GGUFFileCheck.Purpose = .loading) throws(GGUFReaderError) -> GGUFFileCheck.Report {
        try GGUFFileCheck(for: purpose).report(on: MemoryByteSource(bytes()))
    }

    /// A small model that passes the full check: 3 tensors, 112 elements.
    static func smallModel(isBigEndian: Bool = false) -> GGUFBuilder {
        var builder = GGUFBuilder(isBigEndian: isBigEndian)
        builder.add("general.architecture", .string("llama"))
        builder.add("llama.context_length", .uint32(32_768))
        builder.add("llama.block_count", .uint32(2))
        builder.add("tokenizer.ggml.tokens", .strings(["<s>", "a", "", "bc"]))
        builder.add("tokenizer.ggml.scores", .array(type: 6, [.float32(0), .float32(-1), .float32(0), .float32(-2)]))
        builder.add("tokenizer.chat_template", .string("{{ messages }}"))
        builder.add(.float32("token_embd.weight", dimensions: [4, 3]))
        builder.add(.init("blk.0.q4", dimensions: [32, 3], type: 2, data: [UInt8](repeating: 1, count: 54)))
        builder.add(.float32("norm", dimensions: [4]))
        return builder
    }

    /// A header alone, followed by raw bytes.
    static func raw(version: UInt32 = 3, tensors: UInt64 = 0, keyValues: UInt64 = 0, _ rest: [UInt8] = [])
        -> GGUFBuilder
    {
        var builder = GGUFBuilder(version: version)
        builder.declaredTensorCount = tensors
        builder.declaredKeyValueCount = keyValues
        builder.trailingBytes = rest
        return builder
    }
}

extension GGUFReaderError {
    /// The sentence of a `malformed` error; empty for other errors.
    var malformedReason: String {
        if case .malformed(let reason) = self { reason } else { "" }
    }

    var isSizeError: Bool {
        switch self {
        case .hostileCount, .truncated: true
        default: false
        }
    }
}

/// The typed error of `body`, or nil when it succeeds.
func readerError<Value>(_ body: () throws(GGUFReaderError) -> Value) -> GGUFReaderError? {
    do throws(GGUFReaderError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
