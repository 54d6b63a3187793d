import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct EventLineTests {
    private static let lines: [(event: LLMGenerationStreamEvent, line: String)] = [
        (.requestSent(phase: .unknown), #"{"phase":"unknown","type":"requestSent"}"#),
        (
            .firstByteReceived(after: 0.5, phase: .thinking),
            #"{"phase":"thinking","seconds":0.5,"type":"firstByteReceived"}"#
        ),
        (
            .phaseChanged(from: .thinking, to: .final), #"{"from":"thinking","to":"final","type":"phaseChanged"}"#
        ),
        (
            .contentDelta(phase: .final, text: "a\"\n/é", bytesSoFar: 9),
            #"{"phase":"final","text":"a\"\n/é","type":"contentDelta"}"#
        ),
        (
            .contentSnapshot(phase: .final, text: "x", bytesSoFar: 1, reason: .streamCorrection),
            #"{"phase":"final","reason":"stream-correction","text":"x","type":"contentSnapshot"}"#
        ),
        (
            .generationStats(
                promptTokens: 3, generatedTokens: 4, stopReason: "complete", templateMode: .embedded, phase: .final),
            #"{"generatedTokens":4,"phase":"final","promptTokens":3,"stopReason":"complete","#
                + #""templateMode":"embedded","type":"generationStats"}"#
        ),
        (
            .accelerationStats(
                LLMGenerationAccelerationStats(
                    status: .disabledByPolicy, accelerator: "none", maxDraftTokens: 1, draftCalls: 2,
                    draftTokensGenerated: 3, draftTokensAccepted: 4)),
            #"{"accelerator":"none","draftCalls":2,"draftTokensAccepted":4,"draftTokensGenerated":3,"#
                + #""maxDraftTokens":1,"status":"disabled-by-policy","type":"accelerationStats"}"#
        ),
        (
            .completed(
                LLMGenerationResult(
                    stopReason: "max-tokens", promptTokens: 5, cachedPromptTokens: 2, generatedTokens: 7,
                    seed: 4_294_967_295)),
            #"{"seed":4294967295,"stopReason":"max-tokens","type":"done","#
                + #""usage":{"cachedPromptTokens":2,"generatedTokens":7,"promptTokens":5}}"#
        ),
        (
            .completed(LLMGenerationResult(stopReason: "complete")),
            #"{"seed":null,"stopReason":"complete","type":"done","#
                + #""usage":{"cachedPromptTokens":0,"generatedTokens":0,"promptTokens":0}}"#
        ),
    ]

    @Test("events have their JSON form", arguments: lines)
    func form(event: LLMGenerationStreamEvent, line: String) throws {
        let output = MemoryWriter()
        var presenter = EventLinePresenter(output: output)
        try presenter.show(event)
        #expect(output.pieces == [line + "\n"])
    }

    @Test(
        "what is not part of the format is left out",
        arguments: [
            LLMGenerationStreamEvent.tokenChunk(preview: "x", bytesSoFar: 1, phase: .final),
            .diagnostic(message: "m"), .done(totalBytes: 1, duration: 1, phase: .final),
        ])
    func omission(event: LLMGenerationStreamEvent) {
        #expect(EventLine.object(for: event) == nil)
    }

    @Test("an error has a code and a message")
    func error() throws {
        let output = MemoryWriter()
        var presenter = EventLinePresenter(output: output)
        try presenter.fail(FailureReport(CommandFailure(.modelNotFound, "No model.")))
        try presenter.finish()
        #expect(output.text == #"{"code":"modelNotFound","message":"No model.","type":"error"}"# + "\n")
    }
}
