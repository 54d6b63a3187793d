import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("MagicCheck")
struct MagicCheckTests {
    private func check(_ text: String, cutInto pieces: [ArraySlice<UInt8>]) -> ModelDownloaderError? {
        var offset: Int64 = 0
        for piece in pieces {
            do {
                try Array(piece).withUnsafeBytes { try MagicCheck.check($0, at: offset) }
            } catch {
                return error as? ModelDownloaderError
            }
            offset += Int64(piece.count)
        }
        return nil
    }

    @Test("DL-9: a model passes however it is cut")
    func model() {
        for pieces in Array("GGUF\u{3}\0\0\0".utf8).chunkings() { #expect(check("", cutInto: pieces) == nil) }
    }

    @Test(
        "DL-9, D12: anything else is refused however it is cut",
        arguments: ["<!DOCTYPE html>", "version https://git-lfs.github.com/spec/v1\n", "GGUX", "gguf", "{}", "GG UF"])
    func others(text: String) {
        for pieces in Array(text.utf8).chunkings() {
            guard case .notAGGUF? = check(text, cutInto: pieces) else {
                Issue.record("accepted \(text)")
                return
            }
        }
    }

    @Test(
        "DL-9: what it seems to be",
        arguments: [
            ("<!DOCTYPE html>", "an HTML page"), ("\n <html>", "an HTML page"), ("<?xml version", "an XML document"),
            ("version https://git-lfs.github.com/spec/v1", "a Git LFS pointer"), ("{\"error\"", "a JSON document"),
            ("", "an empty file"), ("PK\u{3}\u{4}", "other data"), ("versatile", "other data"),
        ])
    func names(text: String, expected: String) {
        #expect(MagicCheck.describe(text.utf8) == expected)
    }
}
