import CarbocationLocalLLM

/// Steers the sampler of a running generation by what its output has come to.
///
/// The inference thread alone uses it.
struct GenerationSteering: Sendable {
    private let sampler: NativeSampler
    private let model: NativeModel
    private let thinkingCloser: [Token]
    private let control: LLMGenerationControl.Registration?
    private let grammarBeginsWithAnswer: Bool
    /// Where the grammar of a call would begin; nil when it does not wait for one, or not any more.
    private var callTrigger: CallTrigger?

    init(_ generation: PreparedGeneration, model: NativeModel, control: LLMGenerationControl.Registration?) {
        sampler = generation.sampler
        self.model = model
        thinkingCloser = generation.thinkingCloser
        self.control = control
        grammarBeginsWithAnswer = generation.grammarStart.beginsWithAnswer
        callTrigger = generation.callTrigger
    }

    /// Looks at a token's bytes, before ``follow(_:reader:)``.
    mutating func watch(_ bytes: UnsafeBufferPointer<UInt8>) {
        callTrigger?.push(bytes)
    }

    /// Takes what a token gave.
    ///
    /// - Parameters:
    ///   - outputs: The outputs.
    ///   - reader: What gave them, after the token.
    /// - Throws: ``LLMEngineError`` when the output does not begin as its grammar says.
    mutating func follow(_ outputs: [ReplyOutput], reader: ReplyReader) throws {
        if grammarBeginsWithAnswer {
            for case .answerBegan(let text) in outputs { try sampler.beginGrammar(with: text) }
        }
        followCall(reader)
        let isThinking = reader.phase == .thinking
        guard let control, !isThinking || reader.isAtCharacterBoundary, let message = control.takeTerminationRequest(),
            isThinking, !thinkingCloser.isEmpty
        else { return }
        sampler.endThinking(
            with: try ThinkingBudgetPlan.forced(message: message, closer: thinkingCloser, model: model))
    }

    /// Lets the grammar of a call begin once the output is in one.
    ///
    /// A call that does not begin as the grammar says is not held to it; it is checked when it is complete.
    private mutating func followCall(_ reader: ReplyReader) {
        guard let candidate = callTrigger?.candidate else { return }
        if reader.phase == .thinking {
            callTrigger?.reset()
        } else if !candidate.isEmpty, reader.isInCall, reader.isAtCharacterBoundary {
            if sampler.beginCallGrammar(with: candidate) { callTrigger = nil } else { callTrigger?.reset() }
        }
    }
}
