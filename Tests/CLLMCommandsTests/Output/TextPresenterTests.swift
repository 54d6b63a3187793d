import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct TextPresenterTests {
    private struct Shown {
        var output: [String]
        var errors: String
    }

    private func show(
        _ events: [LLMGenerationStreamEvent], showsThinking: Bool = true, finishes: Bool = true
    ) throws -> Shown {
        let output = MemoryWriter()
        let errors = MemoryWriter()
        var presenter = TextPresenter(
            output: output, asides: showsThinking ? DiagnosticWriter(errors) : nil)
        for event in events { try presenter.show(event) }
        if finishes { try presenter.finish() }
        return Shown(output: output.pieces, errors: errors.text)
    }

    private static func final(_ text: String) -> LLMGenerationStreamEvent {
        .contentDelta(phase: .final, text: text, bytesSoFar: 0)
    }

    private static func thinking(_ text: String) -> LLMGenerationStreamEvent {
        .contentDelta(phase: .thinking, text: text, bytesSoFar: 0)
    }

    private static func snapshot(_ text: String) -> LLMGenerationStreamEvent {
        .contentSnapshot(phase: .final, text: text, bytesSoFar: 0, reason: .streamCorrection)
    }

    @Test("every piece is one write, and a newline ends the answer")
    func pieces() throws {
        let shown = try show([Self.final("Hel"), Self.final(""), Self.final("lo")])
        #expect(shown.output == ["Hel", "lo", "\n"])
        #expect(shown.errors.isEmpty)
    }

    @Test("an answer that ends with a newline, and none at all, get no further one")
    func newlines() throws {
        #expect(try show([Self.final("a\n")]).output == ["a\n"])
        #expect(try show([Self.final("a\n\n")]).output == ["a\n\n"])
        #expect(try show([]).output.isEmpty)
        #expect(try show([Self.final("a\r")]).output == ["a\r", "\n"])
        #expect(try show([Self.final("a\r\n")]).output == ["a\r\n"])
    }

    @Test("nothing of the text is changed")
    func exact() throws {
        let text = "  \t<b>\u{1B}[1m e\u{301}\u{0}😀 "
        #expect(try show(text.map { Self.final(String($0)) }).output.joined() == text + "\n")
    }

    @Test("thinking goes to stderr on lines of its own")
    func thinking() throws {
        let events: [LLMGenerationStreamEvent] = [
            Self.thinking("plan"), Self.thinking(" it"), .phaseChanged(from: .thinking, to: .final), Self.final("42"),
        ]
        let shown = try show(events)
        #expect(shown.output == ["42", "\n"])
        #expect(shown.errors == "plan it\n")
        #expect(try show(events, showsThinking: false).errors.isEmpty)
        #expect(try show([Self.thinking("plan\n"), Self.final("42")]).errors == "plan\n")
        #expect(try show([Self.thinking("cut off")]).errors == "cut off\n")
        #expect(try show([Self.thinking("cut off")]).output.isEmpty)
    }

    @Test("a snapshot adds what is missing, or starts again on a new line")
    func snapshots() throws {
        #expect(try show([Self.final("ab"), Self.snapshot("abc")]).output == ["ab", "c", "\n"])
        #expect(try show([Self.final("ab"), Self.snapshot("ab")]).output == ["ab", "\n"])
        #expect(
            try show([Self.final("{bad"), Self.snapshot("{}"), Self.final("!")]).output == [
                "{bad", "\n", "{}", "!", "\n",
            ])
        #expect(try show([Self.final("e"), Self.snapshot("e\u{301}")]).output.joined() == "e\u{301}\n")
    }

    @Test("the completed result has the last word")
    func completion() throws {
        let result = LLMGenerationResult(finalText: "abc")
        #expect(try show([Self.final("ab"), .completed(result)]).output == ["ab", "c", "\n"])
        #expect(try show([Self.final("abc"), .completed(result)]).output == ["abc", "\n"])
    }

    @Test("a failure ends the line")
    func failure() throws {
        let output = MemoryWriter()
        var presenter = TextPresenter(output: output, asides: nil)
        try presenter.show(Self.final("half"))
        try presenter.fail(FailureReport(CancellationError()))
        #expect(output.text == "half\n")
    }

    @Test("tokens, figures and phases are not shown")
    func others() throws {
        let shown = try show([
            .requestSent(phase: .unknown), .firstByteReceived(after: 1, phase: .final),
            .tokenChunk(preview: "raw", bytesSoFar: 3, phase: .final), .diagnostic(message: "d"),
            .phaseChanged(from: .unknown, to: .final), .done(totalBytes: 0, duration: 1, phase: .final),
        ])
        #expect(shown.output.isEmpty)
        #expect(shown.errors.isEmpty)
    }
}
