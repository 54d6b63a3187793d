package import Foundation

/// Entry points for files and for bytes in memory.
package enum GGUFFile {
    /// Reads the metadata that `capture` selects.
    ///
    /// The tensor table is not looked at. Costs one pass over the key-values: no more than 64 KiB are held at a time beyond what is returned.
    package static func header(
        at url: URL, capture: GGUFCapture = .modelFacts
    ) throws(GGUFReaderError) -> GGUFHeader {
        try header(of: FileByteSource(url: url), capture: capture)
    }

    package static func header(
        of source: any ByteSource, capture: GGUFCapture = .modelFacts
    ) throws(GGUFReaderError) -> GGUFHeader {
        var parser = HeaderParser(source, capture: capture, isForRuntime: false)
        return try parser.parse()
    }

    /// What the file says about its model; the quantisation falls back on the file's name.
    package static func facts(at url: URL) throws(GGUFReaderError) -> GGUFModelFacts {
        GGUFModelFacts(header: try header(at: url), fileName: url.lastPathComponent)
    }

    /// Runs the full check, see ``GGUFFileCheck``.
    package static func check(
        at url: URL, for purpose: GGUFFileCheck.Purpose = .loading, capture: GGUFCapture = .modelFacts
    ) throws(GGUFReaderError) -> GGUFFileCheck.Report {
        try GGUFFileCheck(for: purpose).report(on: FileByteSource(url: url), capture: capture)
    }
}
