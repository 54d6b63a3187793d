import CarbocationLocalLLM
import Testing

@Suite("Stream event adapters")
struct LLMStreamEventAdapterTests {
    static let logprobs = LLMTokenLogprobs(
        chosen: LLMTokenLogprobs.Candidate(token: 7, text: "a", bytes: [0x61], logprob: -0.5), top: [])
    static let acceleration = LLMGenerationAccelerationStats(status: .active, accelerator: "mtp")

    /// Every phase-aware event with its plain form, if it has one.
    static let pairs: [(LLMPhaseAwareStreamEvent, LLMStreamEvent?)] = [
        (.requestSent(phase: .unknown), .requestSent),
        (.firstByteReceived(after: 0.5, phase: .thinking), .firstByteReceived(after: 0.5)),
        (.phaseChanged(from: .unknown, to: .final), nil),
        (.tokenChunk(preview: "ab", bytesSoFar: 2, phase: .final), .tokenChunk(preview: "ab", bytesSoFar: 2)),
        (.finalAnswerDelta(text: "ab", bytesSoFar: 2), nil),
        (.finalAnswerSnapshot(text: "a", bytesSoFar: 1, reason: .streamCorrection), nil),
        (.finalAnswerSnapshot(text: "a", bytesSoFar: 1, reason: .completed), nil),
        (
            .generationStats(
                promptTokens: 3, generatedTokens: 4, stopReason: .complete, templateMode: .embedded, phase: .final),
            .generationStats(promptTokens: 3, generatedTokens: 4, stopReason: .complete, templateMode: .embedded)
        ),
        (.tokenLogprobs(logprobs), nil),
        (.accelerationStats(acceleration), nil),
        (.diagnostic(message: "waiting"), nil),
        (.done(totalBytes: 9, duration: 1.5, phase: .final), .done(totalBytes: 9, duration: 1.5)),
    ]

    @Test("EV-11: streamEvent keeps what exists without phases", arguments: pairs.indices)
    func streamEvent(index: Int) {
        let (event, expected) = Self.pairs[index]
        #expect(String(describing: event.streamEvent) == String(describing: expected))
    }

    @Test("EV-11: the general form leads back to the phase-aware one", arguments: pairs.indices)
    func roundTrip(index: Int) {
        let event = Self.pairs[index].0
        let general = LLMGenerationStreamEvent(adapting: event)
        #expect(String(describing: general.phaseAwareEvent) == String(describing: Optional(event)))
    }

    @Test("EV-11: final content becomes the final-answer pair, reasons one to one")
    func finalContent() {
        let cases: [(LLMGenerationStreamEvent, LLMPhaseAwareStreamEvent)] = [
            (.contentDelta(phase: .final, text: "x", bytesSoFar: 1), .finalAnswerDelta(text: "x", bytesSoFar: 1)),
            (
                .contentSnapshot(phase: .final, text: "x", bytesSoFar: 1, reason: .streamCorrection),
                .finalAnswerSnapshot(text: "x", bytesSoFar: 1, reason: .streamCorrection)
            ),
            (
                .contentSnapshot(phase: .final, text: "x", bytesSoFar: 1, reason: .completed),
                .finalAnswerSnapshot(text: "x", bytesSoFar: 1, reason: .completed)
            ),
        ]
        for (event, expected) in cases {
            #expect(String(describing: event.phaseAwareEvent) == String(describing: Optional(expected)))
            #expect(String(describing: LLMGenerationStreamEvent(adapting: expected)) == String(describing: event))
        }
    }

    @Test("EV-11: other content and the result have no phase-aware form")
    func withoutPhaseAwareForm() {
        let events: [LLMGenerationStreamEvent] = [
            .contentDelta(phase: .thinking, text: "x", bytesSoFar: 1),
            .contentDelta(phase: .unknown, text: "x", bytesSoFar: 1),
            .contentSnapshot(phase: .thinking, text: "x", bytesSoFar: 1, reason: .completed),
            .completed(LLMGenerationResult()),
        ]
        for event in events { #expect(event.phaseAwareEvent == nil) }
    }

    @Test("phases and reasons have their stored names")
    func rawValues() {
        #expect(LLMStreamContentPhase(rawValue: "thinking") == .thinking)
        #expect(LLMFinalAnswerSnapshotReason.streamCorrection.rawValue == "stream-correction")
        #expect(LLMGenerationContentSnapshotReason.streamCorrection.rawValue == "stream-correction")
        #expect(LLMGenerationContentSnapshotReason.completed.rawValue == "completed")
    }
}
