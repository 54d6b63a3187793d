import GGUFFormat
import TestSupport
import Testing

@Suite("Names from files in messages")
struct MessageQuotingTests {
    private func message(key: [UInt8]) -> String {
        var builder = GGUFBuilder()
        builder.add(keyBytes: key, .bool(7))
        return readerError { () throws(GGUFReaderError) in try builder.header() }?.malformedReason ?? ""
    }

    @Test("a long name is shortened")
    func long() {
        let text = message(key: Array(String(repeating: "n", count: 60_000).utf8))
        #expect(text.contains(String(repeating: "n", count: 64) + "…"))
        #expect(text.utf8.count < 300)
    }

    @Test(
        "control characters and direction marks do not reach the terminal",
        arguments: [
            "\u{1B}[31mred", "a\nb", "a\u{202E}b", "a\u{2028}b", "a\u{0}b", "a\u{7F}b",
        ])
    func controls(key: String) {
        let text = message(key: Array(key.utf8))
        #expect(text.contains("\u{FFFD}"))
        #expect(!text.unicodeScalars.contains { [0x1B, 0x0A, 0x202E, 0x2028, 0, 0x7F].contains($0.value) })
    }

    @Test("ordinary names stay as they are", arguments: ["tokenizer.ggml.model", "größe", "名前"])
    func plain(key: String) {
        #expect(message(key: Array(key.utf8)).contains("\"\(key)\""))
    }
}
