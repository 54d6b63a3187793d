import CarbocationLocalLLM

/// Steers the sampler of a running generation by what its output has come to.
///
/// The inference thread alone uses it.
struct GenerationSteering: Sendable {
    private let sampler: NativeSampler
    private let model: NativeModel
    private let thinkingCloser: [Token]
    private let control: LLMGenerationControl.Registration?

    init(_ generation: PreparedGeneration, model: NativeModel, control: LLMGenerationControl.Registration?) {
        sampler = generation.sampler
        self.model = model
        thinkingCloser = generation.thinkingCloser
        self.control = control
    }

    /// Takes what a token gave.
    ///
    /// - Parameters:
    ///   - outputs: The outputs.
    ///   - phase: The phase of the output after the token.
    ///   - isAtCharacterBoundary: Whether the output ends with a whole character.
    /// - Throws: ``LLMEngineError`` when the output does not begin as its grammar says.
    func follow(_ outputs: [ReplyOutput], phase: LLMStreamContentPhase, isAtCharacterBoundary: Bool) throws {
        for case .answerBegan(let text) in outputs { try sampler.beginGrammar(with: text) }
        guard let control, phase != .thinking || isAtCharacterBoundary, let message = control.takeTerminationRequest(),
            phase == .thinking, !thinkingCloser.isEmpty
        else { return }
        sampler.endThinking(
            with: try ThinkingBudgetPlan.forced(message: message, closer: thinkingCloser, model: model))
    }
}
