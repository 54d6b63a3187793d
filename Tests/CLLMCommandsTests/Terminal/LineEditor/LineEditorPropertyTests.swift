import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct LineEditorPropertyTests {
    private static let typed = [
        "Grüße, 漢字 e\u{301} 👨‍👩‍👧!\u{1B}[D\u{1B}[1;5D\u{1B}b\u{1B}[3~x\u{7F}\u{1B}[Hy\u{1B}[F\r",
        "one\rtwo\u{1B}[A\u{1B}[A\u{1B}[B!\u{1B}OH\u{1B}[200~p\r\nq\u{1B}[20\u{1B}[201~z\u{17}\u{15}abc\u{B}\r\u{1B}[A",
        "a long line that takes several rows of a narrow window 漢字漢字漢字漢字\u{1}\u{1B}f\u{1B}f, really,\u{5}.\u{C}\u{1A}",
    ]

    @Test("the end is the same wherever the bytes are cut", arguments: typed)
    func chunkings(text: String) {
        var whole = EditingSession(columns: 14, rows: 6)
        whole.type(text)
        for chunks in text.byteChunkings() {
            var session = EditingSession(columns: 14, rows: 6)
            chunks.forEach { session.type($0) }
            #expect(session.outcomes == whole.outcomes, "\(chunks)")
            #expect(session.marked == whole.marked, "\(chunks)")
            #expect(!session.screen.isConfused)
            #expect(session.screen == Self.redrawn(session), "\(chunks)")
        }
    }

    @Test("any bytes leave a line that can be shown", arguments: 0..<40 as Range<UInt64>)
    func hostileBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = [
            0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, 0x31, 0x3B, 0x41, 0x44, 0x0D, 0x7F, 0x09, 0xE6, 0xBC, 0xA2, 0xCC, 0x81,
            0xF0, 0x9F, 0xFF, 0xC0, 0x61, 0x20,
        ]
        let bytes = (0..<400).map { _ in
            Bool.random(using: &random)
                ? alphabet.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
        }
        var session = EditingSession(columns: 12, rows: 5)
        var whole = session
        whole.type(bytes)
        bytes.randomChunks(seed: seed).forEach { session.type(Array($0)) }
        #expect(session.outcomes == whole.outcomes)
        #expect(session.marked == whole.marked)
        #expect(!session.screen.isConfused)
        #expect(session.text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 })
    }

    @Test("a long paste costs no more than its length", .timeLimit(.minutes(10)))
    func longPaste() {
        var session = EditingSession()
        session.type("\u{1B}[200~" + String(repeating: "e\u{301}line\n", count: 40_000))
        session.type("\u{1B}[201~")
        #expect(session.editor.edited.before.count == 40_000 * 6)
        session.type("a" + String(repeating: "\u{301}", count: 100_000))
        #expect(session.editor.edited.before.count == 40_000 * 6 + 1)
    }

    /// The same line drawn on the rows where it stands, from nothing.
    private static func redrawn(_ session: EditingSession) -> VirtualScreen {
        var copy = session
        let size = TerminalSize(columns: 14, rows: 6)
        let layout = LineLayout(prompt: "> ", text: session.editor.edited, columns: size.columns)
        let first = min(max(0, layout.cursorRow - size.rows + 1), max(0, layout.rows.count - size.rows))
        let top = session.screen.row - (layout.cursorRow - first)
        copy.screen.write("\r" + String(repeating: "\u{1B}[1A", count: session.screen.row - top) + "\u{1B}[J")
        copy.screen.write(copy.editor.resume(in: size))
        return copy.screen
    }
}
