import CarbocationLocalLLM
package import Foundation
import GGUFFormat

/// Tells the files of one model from those of others by what is in them: neither path nor date count.
///
/// It covers sizes, all of the metadata and tensor tables, and samples of the weights; weights may be too large to be
/// read for this.
package struct ModelFingerprint: Codable, Hashable, Sendable {
    /// One file.
    struct Part: Codable, Hashable, Sendable {
        var size: UInt64
        /// SHA-256 of the header and the samples.
        var digest: String
    }

    private static let sampleCount: UInt64 = 64
    private static let sampleSize = 4096

    private(set) var parts: [Part]

    /// The size in bytes of the model's first file.
    package var firstSize: UInt64? { parts.first?.size }

    /// Reads the files of the model whose first file is at `url`.
    ///
    /// Blocks for some milliseconds. Throws ``LLMEngineError/modelLoadFailed(_:)``.
    package init(modelAt url: URL) throws {
        do {
            parts = try GGUFShardSet(containing: url).urls.map { try Self.part(at: $0) }
        } catch let error as GGUFReaderError {
            throw LLMEngineError.modelLoadFailed("\(url.lastPathComponent): \(error.localizedDescription)")
        }
    }

    private static func part(at url: URL) throws(GGUFReaderError) -> Part {
        let source = try FileByteSource(url: url)
        let report = try GGUFFileCheck(for: .inspection).report(on: source)
        var hasher = SHA256Hasher()
        try hash(source, from: 0, to: report.dataOffset, &hasher)
        let dataSize = source.size - min(source.size, report.dataOffset)
        for index in 0..<sampleCount {
            // Spread so that the last sample ends with the file.
            let room = dataSize - min(dataSize, UInt64(sampleSize))
            let start = report.dataOffset + room / (sampleCount - 1) * index
            let from = index == sampleCount - 1 ? report.dataOffset + room : start
            try hash(source, from: from, to: min(source.size, from + UInt64(sampleSize)), &hasher)
        }
        return Part(size: source.size, digest: hasher.finish())
    }

    private static func hash(
        _ source: FileByteSource, from start: UInt64, to end: UInt64, _ hasher: inout SHA256Hasher
    ) throws(GGUFReaderError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var position = start
        while position < end {
            let wanted = min(UInt64(buffer.count), end - position)
            let count = try source.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(wanted)]), at: position)
            guard count > 0 else { return }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
    }
}
