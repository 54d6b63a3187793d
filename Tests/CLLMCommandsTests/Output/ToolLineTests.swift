import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct ToolLineTests {
    private static func text(_ content: LLMJSONValue, fails: Bool = false) -> String? {
        let output = LLMToolOutput(callID: "a", name: "t", content: content, isError: fails)
        return ToolLine(fails ? .toolCallFailed(output) : .toolCallCompleted(output))?.text
    }

    @Test("what tools say cannot leave its line or steer the terminal")
    func clean() {
        let text = Self.text(["a": "x\n\u{1B}[31m\u{2028}y\u{202E}z"])
        #expect(text?.contains { $0.isNewline } == false)
        #expect(text?.unicodeScalars.contains { $0 == "\u{1B}" || $0.properties.isBidiControl } == false)
        let call = LLMToolCall(executionID: "a", name: "evil\nname", arguments: [:])
        #expect(ToolLine(.toolCallStarted(call))?.text == "tool: evil name {}")
    }

    @Test("long outputs are cut")
    func long() {
        let text = Self.text(.string(String(repeating: "é", count: 5000)))
        #expect(text?.count == 1001)
        #expect(text?.last == "…")
    }

    @Test("a failure without a message is told as it is")
    func failures() {
        #expect(
            Self.text(["ok": false, "error": ["code": "c", "message": "No."]], fails: true) == "tool: t failed: No.")
        #expect(Self.text(["ok": false], fails: true) == #"tool: t failed: {"ok":false}"#)
    }

    @Test("replies, rounds and figures have no line")
    func others() {
        let events: [LLMToolGenerationStreamEvent] = [
            .generationEvent(.requestSent(phase: .unknown)), .toolRoundStarted(round: 1),
            .aggregateGenerationStats(promptTokens: 1, generatedTokens: 1, stopReason: "complete"),
            .aggregateAccelerationStats(LLMGenerationAccelerationStats(status: .active, accelerator: "mtp")),
            .completed(LLMToolPhasedGenerationResult(generation: LLMGenerationResult())),
        ]
        for event in events { #expect(ToolLine(event) == nil) }
    }

    @Test("on a terminal a line does not stand behind a part of the answer")
    func terminal() throws {
        func show(outputIsTerminal: Bool, errorsAreTerminal: Bool) throws -> String {
            let output = MemoryWriter(isTerminal: outputIsTerminal)
            let errors = MemoryWriter(isTerminal: errorsAreTerminal)
            var presenter = TextPresenter(output: output, asides: DiagnosticWriter(errors))
            try presenter.show(.generationEvent(.contentDelta(phase: .final, text: "So", bytesSoFar: 2)))
            try presenter.show(.toolCallStarted(.add([1])))
            return errors.text
        }
        let line = #"tool: calculate {"operation":"add","operands":[1]}"# + "\n"
        #expect(try show(outputIsTerminal: true, errorsAreTerminal: true) == "\n" + line)
        #expect(try show(outputIsTerminal: true, errorsAreTerminal: false) == line)
        #expect(try show(outputIsTerminal: false, errorsAreTerminal: true) == line)
    }
}
