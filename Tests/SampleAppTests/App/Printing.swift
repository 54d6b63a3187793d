import CarbocationLocalLLM

/// Prints an answer as it is written.
func printAnswer(to request: LLMGenerationRequest, from engine: any LLMEngine) async throws {
    // snippet.loop
    for try await event in engine.stream(request) {
        if case .contentDelta(_, let text, _) = event {
            print(text, terminator: "")
        }
    }
    // snippet.end
}
