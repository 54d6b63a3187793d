import CarbocationLocalLLM

/// One generation as the scheduler sees it: tokens in, tokens out.
struct GenerationJob: Sendable {
    typealias ID = UInt64

    let id: ID
    /// Never empty, and shorter than the context.
    let prompt: [Token]
    /// Most tokens to generate, at least 1.
    let outputLimit: Int
    /// What reaching `outputLimit` is called.
    let limitReason: LLMStopReason
    /// Picks and accepts a token from the logits of a batch entry.
    let sample: @Sendable (_ row: Int) throws -> Token
    let endsGeneration: @Sendable (Token) -> Bool
    let output: any TokenOutput
    /// Whether tokens may be drafted for it.
    var isSpeculative = false

    /// The same job, which also calls `onFinish` when it is over.
    func reporting(_ onFinish: @escaping @Sendable () -> Void) -> GenerationJob {
        GenerationJob(
            id: id, prompt: prompt, outputLimit: outputLimit, limitReason: limitReason, sample: sample,
            endsGeneration: endsGeneration, output: ReportingOutput(output, onFinish), isSpeculative: isSpeculative)
    }
}

/// Hands everything on, and calls a function before the end.
private final class ReportingOutput: TokenOutput {
    private let output: any TokenOutput
    private let onFinish: @Sendable () -> Void

    init(_ output: any TokenOutput, _ onFinish: @escaping @Sendable () -> Void) {
        self.output = output
        self.onFinish = onFinish
    }

    func consume(_ token: Token) -> LLMStopReason? { output.consume(token) }

    func report(_ progress: PromptProgress) { output.report(progress) }

    func finish(_ outcome: JobOutcome) {
        onFinish()
        output.finish(outcome)
    }
}

/// Receives what a job produces, on the inference thread.
protocol TokenOutput: AnyObject, Sendable {
    /// Takes a generated token; a reason ends the job.
    func consume(_ token: Token) -> LLMStopReason?

    /// Called between steps while the job waits or its prompt is computed.
    func report(_ progress: PromptProgress)

    /// The job is over. Called exactly once, last.
    func finish(_ outcome: JobOutcome)
}

/// How far a job's prompt has come.
struct PromptProgress: Equatable, Sendable {
    /// Tokens of the prompt in the cache; nil while the job waits for a free sequence.
    var processed: Int?
    var total: Int
}

/// How a job ended.
struct JobOutcome: Sendable {
    enum End: Sendable {
        case stopped(LLMStopReason)
        case cancelled
        case failed(any Error)
    }

    var end: End
    /// Tokens sampled, without the one that ends generation.
    var generatedTokens: Int
    /// What the KV cache spared it.
    var reuse = PromptReuse()
    var drafts = DraftTally()
}
