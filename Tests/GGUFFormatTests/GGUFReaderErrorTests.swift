import Foundation
import GGUFFormat
import Testing

@Suite("GGUF reader errors")
struct GGUFReaderErrorTests {
    static let all: [GGUFReaderError] = [
        .unreadable("no such file."), .notGGUF, .unsupportedVersion(1), .truncated(offset: 77),
        .hostileCount(field: "number of tensors", value: 1 << 60), .invalidValueType(99), .nestingTooDeep,
        .malformed("its tensor is odd."),
    ]

    @Test("every error is a sentence and names a remedy", arguments: all)
    func sentences(error: GGUFReaderError) throws {
        let description = try #require(error.errorDescription)
        let remedy = try #require(error.recoverySuggestion)
        #expect(description.hasSuffix(remedy))
        #expect(description.first?.isUppercase == true)
        #expect(description.hasSuffix("."))
        #expect(!description.contains(".."))
        #expect(error.localizedDescription == description)
    }

    @Test("numbers that help to find the fault are in the text")
    func numbers() {
        #expect(GGUFReaderError.truncated(offset: 77).errorDescription?.contains("byte 77") == true)
        #expect(GGUFReaderError.unsupportedVersion(1).errorDescription?.contains("version 1;") == true)
        #expect(GGUFReaderError.invalidValueType(99).errorDescription?.contains("99") == true)
        let hostile = GGUFReaderError.hostileCount(field: "number of tensors", value: 12)
        #expect(hostile.errorDescription?.contains("number of tensors of 12") == true)
    }
}
