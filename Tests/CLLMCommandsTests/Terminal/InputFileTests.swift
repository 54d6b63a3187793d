import Testing

@testable import CLLMCommands

@Suite struct InputFileTests {
    @Test("reads text as it is", arguments: ["", "a\r\nb\n", "\u{FEFF}e\u{301}\u{0}😀"])
    func text(text: String) throws {
        let read = try InputFile.text(at: TemporaryFile(text).path)
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test(
        "finds the first byte that is no text",
        arguments: [
            ([0xFF], 0), ([0x61, 0xC3], 1), ([0xC3, 0xA9, 0x80], 2), ([0xED, 0xA0, 0x80], 0), ([0x61, 0xC0, 0x80], 1),
            ([0xEF, 0xBF, 0xBD, 0xFE], 3),
        ] as [([UInt8], Int)])
    func invalid(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: CommandFailure.self) { try InputFile.text(of: bytes, named: "It") }
        #expect(error?.message == "It is not UTF-8 text: the byte at offset \(offset) fits no character.")
    }

    @Test("a replacement character that was written is text")
    func replacement() throws {
        #expect(try InputFile.text(of: [0xEF, 0xBF, 0xBD], named: "It") == "\u{FFFD}")
    }

    @Test("says why a file cannot be read")
    func unreadable() {
        let missing = #expect(throws: CommandFailure.self) { try InputFile.text(at: "/nonexistent") }
        #expect(missing?.message == "'/nonexistent' cannot be read: No such file or directory.")
        let folder = #expect(throws: CommandFailure.self) { try InputFile.text(at: "/") }
        #expect(folder?.message == "'/' cannot be read: Is a directory.")
    }

    #if os(Linux)
        @Test("SC-7: an endless file is refused")
        func endless() {
            let error = #expect(throws: CommandFailure.self) { try InputFile.text(at: "/dev/zero") }
            #expect(error?.message == "'/dev/zero' is too large: a text may have \(InputFile.sizeLimit) bytes.")
        }
    #endif
}
