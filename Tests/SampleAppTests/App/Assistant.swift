import CarbocationLocalLLM

/// Answers questions with whatever engine it is given.
@MainActor
final class Assistant {
    private let engine: any LLMEngine
    private var writing: Task<Void, Never>?
    private var control = LLMGenerationControl()

    init(engine: any LLMEngine) {
        self.engine = engine
    }

    // snippet.ask
    /// Begins to answer; the answer grows while it is written.
    func ask(_ question: String, options: GenerationOptions = GenerationOptions()) -> Answer {
        stop()
        let answer = Answer()
        let request = LLMGenerationRequest(
            system: "Answer briefly.", prompt: question, options: options, control: control)
        writing = Task {
            do {
                for try await event in engine.stream(request) { answer.show(event) }
            } catch {
                answer.end(with: error)
            }
        }
        return answer
    }

    /// What the Stop button does.
    func stop() {
        writing?.cancel()
    }
    // snippet.end

    /// Waits until nothing is written.
    func finished() async {
        await writing?.value
    }

    // snippet.thinking
    /// Lets the model think first, for so many tokens.
    static func thoughtful(budget: Int) -> GenerationOptions {
        GenerationOptions(
            maxOutputTokens: 1024, enableThinking: true, thinkingBudgetTokens: budget,
            thinkingBudgetMessage: " That is enough.")
    }

    /// What the button “Answer now” does.
    func endThinking() {
        control.requestThinkingTermination(message: " Time to answer.")
    }
    // snippet.end

    // snippet.preflight
    /// How many tokens an answer can have; nil when the question is too long for the loaded context.
    func room(for question: String) async throws -> Int? {
        let budget = try await engine.preflight(system: "Answer briefly.", prompt: question)
        return budget.canGenerate ? budget.effectiveMaxOutputTokens : nil
    }
    // snippet.end
}
