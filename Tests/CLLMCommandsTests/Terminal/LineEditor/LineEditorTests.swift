import Testing

@testable import CLLMCommands

@Suite struct LineEditorTests {
    private static let up = "\u{1B}[A"
    private static let down = "\u{1B}[B"
    private static let left = "\u{1B}[D"

    @Test(
        "keys edit the line",
        arguments: [
            ("abc", "abc|"), ("abc\u{1B}[D", "ab|c"), ("abc\u{1B}[D\u{1B}[C", "abc|"), ("abc\u{2}\u{2}\u{6}", "ab|c"),
            ("abc\u{1}", "|abc"), ("abc\u{1B}[H", "|abc"), ("abc\u{1B}OH\u{1B}OF", "abc|"), ("abc\u{1B}[1~", "|abc"),
            ("abc\u{1}\u{5}", "abc|"), ("abc\u{1}\u{1B}[F", "abc|"), ("abc\u{1}\u{1B}[4~", "abc|"),
            ("abc\u{7F}", "ab|"), ("abc\u{8}", "ab|"), ("\u{7F}", "|"), ("abc\u{1}\u{1B}[3~", "|bc"),
            ("abc\u{1}\u{4}", "|bc"), ("abc\u{4}", "abc|"), ("abc\u{1B}[D\u{B}", "ab|"), ("abc\u{1B}[D\u{15}", "|c"),
            ("one two-three\u{17}", "one |"), ("one two  \u{17}", "one |"), ("one two-three\u{1B}\u{7F}", "one two-|"),
            ("one two\u{1B}b", "one |two"), ("one two\u{1B}[1;5D", "one |two"), ("one two\u{1B}[1;3D", "one |two"),
            ("one two\u{1}\u{1B}f", "one| two"), ("one two\u{1}\u{1B}[1;5C", "one| two"),
            ("one two\u{1B}Od", "one |two"),
            ("one two\u{1}\u{1B}d", "| two"), ("one two\u{1}\u{1B}[3;5~", "| two"), ("ab\u{1B}[DX", "aX|b"),
            ("a\tb", "a\tb|"), ("a\u{1B}\rb", "a\nb|"), ("a\u{1B}\rb\u{1}", "a\n|b"), ("a\u{1B}\rb\u{15}\u{15}", "a|"),
        ])
    func keys(typed: String, expected: String) {
        var session = EditingSession()
        session.type(typed)
        #expect(session.marked == expected)
        #expect(session.outcomes.isEmpty)
        #expect(!session.screen.isConfused)
    }

    @Test(
        "what means nothing is left out",
        arguments: [
            "\u{1B}[99~", "\u{1B}[200;5x", "\u{1B}[?1;2c", "\u{1B}[5;5~", "\u{1B}[[A", "\u{1B}OQ", "\u{1B}x",
            "\u{1B}[I",
            "\u{0}", "\u{7}", "\u{16}", "\u{1B}\u{1B}[99~", "\u{1B}[201~", "\u{85}",
            "\u{1B}[;;;;;;;;;;;1;1;1;1;1;1;1;1;1;1;1;1A~",
        ])
    func nothing(sequence: String) {
        var session = EditingSession()
        session.type("a" + sequence + "b")
        #expect(session.text.filter { $0 != "~" } == "ab")
    }

    @Test("characters are edited whole, whatever they are made of")
    func characters() {
        var session = EditingSession()
        session.type("e\u{301}👨‍👩‍👧🇩🇪漢")
        #expect(session.editor.edited.before.count == 4)
        #expect(session.screen.column == 2 + 1 + 2 + 2 + 2)
        session.type("\u{7F}\u{7F}")
        #expect(session.text == "e\u{301}👨‍👩‍👧")
        session.type("\u{7F}" + Self.left + "\u{1B}[3~")
        #expect(session.text.isEmpty)
    }

    @Test("an accent joins the letter before it, also in the middle of the line")
    func accents() {
        var session = EditingSession()
        session.type("ab" + Self.left)
        session.type("\u{301}")
        #expect(session.marked == "a\u{301}|b")
        #expect(session.screen.column == 3)
        session.type("\u{7F}")
        #expect(session.marked == "|b")
    }

    @Test("Enter submits, and what follows belongs to the next line")
    func submission() {
        var session = EditingSession()
        session.type("one\rtwo\nthr")
        #expect(session.outcomes == [.submitted("one"), .submitted("two")])
        #expect(session.text == "thr")
        #expect(session.screen.text == "> one\n> two\n> thr")
    }

    @Test("a line is submitted whole wherever the cursor is, and what follows stands below it")
    func submissionInTheMiddle() {
        var session = EditingSession(columns: 8)
        session.type("abcdefghij\u{1}\r")
        #expect(session.outcomes == [.submitted("abcdefghij")])
        #expect(session.screen.text == "> abcdef\nghij\n>")
    }

    @Test("Ctrl-C interrupts, Ctrl-D ends the input on an empty line only, Ctrl-Z suspends and keeps the line")
    func endings() {
        var session = EditingSession()
        session.type("a\u{4}\u{3}")
        #expect(session.outcomes == [.interrupted])
        session.type("\u{4}b\u{1A}")
        #expect(session.outcomes == [.interrupted, .endOfInput, .suspended])
        #expect(session.text == "b")
        #expect(session.screen.text.hasSuffix("> b"))
    }

    @Test(
        "Ctrl-C ends a sequence that was begun", arguments: ["\u{1B}", "\u{1B}[", "\u{1B}[1;", "\u{1B}O", "\u{1B}[["])
    func interruptedSequence(beginning: String) {
        var session = EditingSession()
        session.type(beginning + "\u{3}")
        #expect(session.outcomes == [.interrupted])
    }

    @Test("a paste keeps its line breaks and submits nothing")
    func paste() {
        var session = EditingSession()
        session.type("a\u{1B}[200~one\r\ntwo\rthree\u{1B}[3~\u{3}\u{1B}[201~b")
        #expect(session.outcomes.isEmpty)
        #expect(session.text == "aone\ntwo\nthree[3~b")
        #expect(session.screen.text == "> aone\ntwo\nthree[3~b")
        session.type("\r")
        #expect(session.outcomes == [.submitted("aone\ntwo\nthree[3~b")])
    }

    @Test(
        "a paste that is too long is refused with a message, also one that Ctrl-C ends, wherever the bytes are cut",
        arguments: [1, 2, 7, 100], ["0123456789\u{1B}[201~", "0123456789\u{3}"])
    func longPaste(chunk: Int, pasted: String) {
        var session = EditingSession(columns: 80, pasteLimit: 9)
        let typed = Array("ab\u{1B}[D\u{1B}[200~\(pasted)c".utf8)
        for start in stride(from: 0, to: typed.count, by: chunk) {
            session.type(Array(typed[start..<min(start + chunk, typed.count)]))
        }
        #expect(session.outcomes.isEmpty)
        #expect(session.marked == "ac|b")
        #expect(session.screen.text == "> ab\nThe paste is left out: it has more than 9 bytes.\n> acb")
    }

    @Test("a paste of as many bytes as it may have is kept, and Ctrl-C in it is a byte of it")
    func longestPaste() {
        var session = EditingSession(pasteLimit: 9)
        session.type("\u{1B}[200~12345\u{3}678\u{1B}[201~\u{1B}[200~9\u{1B}[201~")
        #expect(session.outcomes.isEmpty)
        #expect(session.text == "123456789")
    }

    @Test(
        "Ctrl-C behind a line is found, but not in a paste",
        arguments: [
            ("\u{3}", true, ""), ("b\r\u{3}c", true, "c"), ("b\r", false, "b\r"), ("", false, ""),
            ("\u{1B}[200~\u{3}\u{1B}[201~", false, "\u{1B}[200~\u{3}\u{1B}[201~"),
            ("\u{1B}[200~\u{3}\u{1B}[201~\u{3}", true, ""),
        ])
    func interruptBehind(typed: String, isFound: Bool, rest: String) {
        var editor = LineEditor(prompt: "> ")
        var bytes = Array(typed.utf8)[...]
        #expect(editor.takeInterrupt(from: &bytes) == isFound)
        #expect(String(decoding: bytes, as: UTF8.self) == rest)
    }

    @Test("a long line is wrapped, wide characters are not cut")
    func wrapping() {
        var session = EditingSession(columns: 6)
        session.type("abc漢字def")
        #expect(session.screen.text == "> abc\n漢字de\nf")
        session.type("\u{1}")
        #expect((session.screen.row, session.screen.column) == (0, 2))
        session.type("\u{5}ghijk")
        #expect(session.screen.text == "> abc\n漢字de\nfghijk")
        #expect((session.screen.row, session.screen.column) == (3, 0))
        #expect(!session.screen.isConfused)
    }

    @Test("of a text with more rows than the window, those around the cursor are shown")
    func window() {
        var session = EditingSession(columns: 10, rows: 3)
        session.type("\u{1B}[200~1\n2\n3\n4\n5\u{1B}[201~")
        #expect(session.screen.text == "3\n4\n5")
        session.type(String(repeating: Self.left, count: 8))
        #expect(session.screen.text == "> 1\n2\n3")
        #expect((session.screen.row, session.screen.column) == (0, 3))
    }

    @Test("Ctrl-L leaves only the line on the screen")
    func clearing() {
        var session = EditingSession()
        session.type("one\rtwo\u{1B}[D\u{C}")
        #expect(session.screen.text == "> two")
        #expect((session.screen.row, session.screen.column) == (0, 4))
    }

    @Test("earlier lines come back, and the new one is kept as it was left")
    func history() {
        var session = EditingSession(history: ["first", "second"])
        session.type("new" + Self.up)
        #expect(session.text == "second")
        session.type("!" + Self.up + Self.up)
        #expect(session.text == "first")
        session.type(Self.down)
        #expect(session.text == "second!")
        session.type(Self.down + Self.down)
        #expect(session.marked == "new|")
        session.type("\u{10}\u{10}\r")
        #expect(session.outcomes == [.submitted("first")])
        #expect(session.editor.history.entries == ["first", "second", "first"])
        session.type(Self.up + Self.up)
        #expect(session.text == "second")
        #expect(session.screen.text.hasSuffix("> second"))
    }

    @Test("a blank line, and the last one again, are not kept; old ones go at some time")
    func historyLimits() {
        var history = LineHistory((0..<2000).map(String.init))
        #expect(history.entries.count == LineHistory.countLimit)
        history.add("  ")
        history.add("1999")
        #expect(history.entries.last == "1999")
        history.add("x")
        #expect(history.entries.count == LineHistory.countLimit)
        #expect(history.entries.suffix(2) == ["1999", "x"])
    }
}
