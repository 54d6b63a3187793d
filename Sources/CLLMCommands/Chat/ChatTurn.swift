import CarbocationLocalLLM

/// One question and its answer.
struct ChatTurn: Sendable {
    struct Outcome: Sendable {
        var meter: GenerationMeter
        /// Why there is no, or no whole, answer.
        var failure: (any Error)?
    }

    let session: any ChatSession
    let prompt: String
    let options: GenerationOptions
    let tools: ToolArguments
    let format: AnswerFormat
    let context: CommandContext

    /// Shows the answer as it comes.
    func run() async -> Outcome {
        var outcome = Outcome(meter: GenerationMeter(start: context.environment.now()))
        var presenter = format.presenter(in: context)
        do {
            let answer = try await answer(with: &presenter, meter: &outcome.meter)
            try presenter.finish()
            // Each answer ends a line, so that they can be told apart.
            if answer.isEmpty, format == .text { try context.print("\n") }
        } catch let closed as OutputClosed {
            outcome.failure = closed
        } catch {
            try? presenter.fail(FailureReport(error))
            outcome.failure = error
        }
        return outcome
    }

    private func answer(
        with presenter: inout any AnswerPresenting, meter: inout GenerationMeter
    ) async throws -> String {
        let reader = AnswerReader(in: context)
        let request = LLMGenerationRequest(prompt: prompt, options: options)
        if let toolRequest = tools.request(request, in: context) {
            let events = session.streamWithTools(toolRequest, control: nil)
            return try await reader.run(events, meter: &meter, presenter: &presenter).finalText
        }
        let events = session.stream(prompt: prompt, options: options, control: nil)
        return try await reader.run(events, meter: &meter, presenter: &presenter).finalText
    }
}
