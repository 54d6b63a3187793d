import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct EventLineToolsTests {
    private static let output = LLMToolOutput(callID: "call_2", name: "add", content: ["a": 1], isError: true)

    private static let lines: [(event: LLMToolGenerationStreamEvent, line: String)] = [
        (
            .generationEvent(.contentDelta(phase: .final, text: "x", bytesSoFar: 1)),
            #"{"phase":"final","text":"x","type":"contentDelta"}"#
        ),
        (
            .toolCallStarted(LLMToolCall(executionID: "call_2", name: "add", arguments: ["b": 1, "a": 2])),
            #"{"arguments":{"a":2,"b":1},"id":"call_2","name":"add","rawID":null,"triggerPhase":null,"#
                + #""type":"toolCallStarted"}"#
        ),
        (
            .toolCallFailed(output),
            #"{"callID":"call_2","content":{"a":1},"isError":true,"name":"add","type":"toolCallFailed"}"#
        ),
        (
            .aggregateAccelerationStats(
                LLMGenerationAccelerationStats(
                    status: .active, accelerator: "mtp", maxDraftTokens: 1, draftCalls: 2, draftTokensGenerated: 3,
                    draftTokensAccepted: 4)),
            #"{"accelerator":"mtp","aggregate":true,"draftCalls":2,"draftTokensAccepted":4,"draftTokensGenerated":3,"#
                + #""maxDraftTokens":1,"status":"active","type":"accelerationStats"}"#
        ),
    ]

    @Test("events of a run have their JSON form", arguments: lines)
    func form(event: LLMToolGenerationStreamEvent, line: String) throws {
        let output = MemoryWriter()
        var presenter = EventLinePresenter(output: output)
        try presenter.show(event)
        #expect(output.pieces == [line + "\n"])
    }

    @Test("the end of a single reply is no end")
    func omission() {
        #expect(EventLine.object(for: .generationEvent(.completed(LLMGenerationResult()))) == nil)
    }
}
