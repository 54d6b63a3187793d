package import Foundation
import GGUFFormat

/// What all files of a model say about it together.
package struct GGUFModelSummary: Sendable, Hashable {
    /// The header of the first part.
    package let metadata: GGUFModelMetadata
    /// The kind of tokenizer, for example `gpt2`.
    package let tokenizerModel: String?
    /// The elements of all tensors.
    package let parameterCount: UInt64
    /// The size of all parts in bytes.
    package let fileSize: UInt64

    /// Reads the headers and tensor tables of a model, of which `url` may be any part.
    ///
    /// - Throws: ``GGUFReaderError`` for a file that breaks the format, and for parts that are missing or disagree.
    package init(modelAt url: URL) throws(GGUFReaderError) {
        let parts = try GGUFShardSet(containing: url)
        let facts = try parts.agreedFacts()
        var parameterCount: UInt64 = 0
        var fileSize: UInt64 = 0
        for part in parts.urls {
            let report = try GGUFFile.check(at: part, for: .inspection)
            parameterCount = Self.sum(parameterCount, report.parameterCount)
            fileSize = Self.sum(fileSize, report.header.fileSize)
        }
        metadata = GGUFModelMetadata(facts[0])
        tokenizerModel = facts[0].tokenizerModel
        self.parameterCount = parameterCount
        self.fileSize = fileSize
    }

    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
