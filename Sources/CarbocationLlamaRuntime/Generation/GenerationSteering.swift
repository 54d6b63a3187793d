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
    /// How the grammar of a call begins; nil when none waits for one, or not any more.
    private var callLead: CallLead?
    /// The call that does not begin as the grammar says.
    private var refusedCall: Int?

    init(_ generation: PreparedGeneration, model: NativeModel, control: LLMGenerationControl.Registration?) {
        sampler = generation.sampler
        self.model = model
        thinkingCloser = generation.thinkingCloser
        self.control = control
        grammarBeginsWithAnswer = generation.grammarStart.beginsWithAnswer
        callLead = generation.callLead
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
        followCall(in: reader)
        let isThinking = reader.phase == .thinking
        // Before the phase is known a request waits.
        guard let control, reader.phase != .unknown, !isThinking || reader.isAtCharacterBoundary,
            let message = control.takeTerminationRequest(),
            isThinking, !thinkingCloser.isEmpty
        else { return }
        sampler.endThinking(
            with: try ThinkingBudgetPlan.forced(message: message, closer: thinkingCloser, model: model))
    }

    /// Lets the grammar of a call begin once the output is in one.
    ///
    /// A call that does not begin as the grammar says is not held to it; it is checked when it is complete.
    private mutating func followCall(in reader: ReplyReader) {
        guard let lead = callLead, let place = reader.openCallPlace, place != refusedCall,
            reader.isAtCharacterBoundary, let call = reader.openCall
        else { return }
        switch lead.beginning(of: call) {
        case .open: break
        case .text(let text) where sampler.beginCallGrammar(with: text): callLead = nil
        case .text, .none: refusedCall = place
        }
    }
}
