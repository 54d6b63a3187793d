import CarbocationLocalLLM
import Testing

@Suite("PhasedText")
struct PhasedTextTests {
    private typealias Segment = LLMGenerationPhaseSegment

    @Test("RS-1: segments stay in stream order, the text of a phase joins its own with a line break")
    func segments() {
        var text = PhasedText()
        #expect(text.append("a", to: .thinking) == "a")
        text.endSegment()
        #expect(text.append("b", to: .thinking) == "\nb")
        #expect(text.append("", to: .final) == "")
        #expect(text.append("c", to: .final) == "c")
        #expect(text.append("d", to: .final) == "d")
        #expect(text.append("e", to: .thinking) == "\ne")
        #expect(text.text(of: .thinking) == "a\nb\ne")
        #expect(text.text(of: .final) == "cd")
        #expect(
            text.segments == [
                Segment(phase: .thinking, text: "a"), Segment(phase: .thinking, text: "b"),
                Segment(phase: .final, text: "cd"), Segment(phase: .thinking, text: "e"),
            ])
    }

    @Test("EV-9: a snapshot replaces the text of the current segment")
    func snapshotOfCurrent() {
        var text = PhasedText()
        _ = text.append("plan", to: .thinking)
        _ = text.append("{bad", to: .final)
        text.replace(.final, with: "{\"a\":1}")
        #expect(text.text(of: .final) == "{\"a\":1}")
        #expect(text.segments.map(\.text) == ["plan", "{\"a\":1}"])
        #expect(text.append("!", to: .final) == "!")
        #expect(text.segments.map(\.text) == ["plan", "{\"a\":1}!"])
    }

    @Test("RS-1: a snapshot of a phase entered before splits over its segments")
    func snapshotOfEarlier() {
        var text = PhasedText()
        _ = text.append("draft", to: .thinking)
        _ = text.append("answer", to: .final)
        text.replace(.thinking, with: "draft revised")
        #expect(
            text.segments == [
                Segment(phase: .thinking, text: "draft"), Segment(phase: .final, text: "answer"),
                Segment(phase: .thinking, text: " revised"),
            ])
        #expect(text.text(of: .thinking) == "draft revised")
    }

    @Test("RS-1: a snapshot over several segments keeps those that it repeats")
    func snapshotOverSeveral() {
        var text = PhasedText()
        _ = text.append("a", to: .thinking)
        text.endSegment()
        _ = text.append("b", to: .thinking)
        text.replace(.thinking, with: "a\nbc")
        #expect(text.segments.map(\.text) == ["a", "bc"])
        text.replace(.thinking, with: "x")
        #expect(text.segments.map(\.text) == ["x"])
        text.replace(.thinking, with: "")
        #expect(text.segments.isEmpty)
        #expect(text.text(of: .thinking) == "")
    }
}
