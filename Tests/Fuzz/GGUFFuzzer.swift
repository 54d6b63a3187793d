// The target of `Scripts/fuzz-gguf`: compiled together with the sources of `GGUFFormat`, under libFuzzer.

private enum Fuzzer {
    /// What the reader accepts must be consistent; what it refuses must come as a typed error, never as a trap.
    static func read(_ bytes: [UInt8]) {
        let source = MemoryByteSource(bytes)
        if let header = try? GGUFFile.header(of: source) {
            precondition(GGUFModelFacts(header: header, fileName: "m-Q8_0.gguf").trainingContextLength ?? 1 > 0)
        }
        if let header = try? GGUFFile.header(of: source, capture: .all()) {
            precondition(UInt64(header.entries.count) <= header.keyValueCount)
            precondition(header.tensorTableOffset ?? 0 <= source.size)
        }
        check(source, for: .inspection)
        check(source, for: .loading)
    }

    private static func check(_ source: MemoryByteSource, for purpose: GGUFFileCheck.Purpose) {
        do {
            let report = try GGUFFileCheck(for: purpose).report(on: source)
            precondition(report.dataOffset <= source.size)
            // Only files to be loaded must not have tensors that share bytes.
            precondition(purpose == .inspection || report.dataOffset + report.tensorByteCount <= source.size)
        } catch {
            precondition(error.errorDescription?.isEmpty == false)
        }
    }
}

/// libFuzzer's entry point.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzer.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
