/// A sequence of the KV cache and the job that runs in it.
struct Slot {
    let sequence: Int32
    let job: GenerationJob
    /// Every token of the sequence: the prompt, then what was generated.
    private(set) var ledger: [Token]
    /// Tokens at the front of `ledger` that are in the KV cache.
    private(set) var cachedCount: Int
    /// What was cached when the job began.
    private(set) var reuse: PromptReuse
    /// Token counts behind which a checkpoint is taken, ascending.
    private let checkpoints: [Int]
    /// Grows with each new job, so that the youngest run can be found; a suspended one keeps its place.
    let admission: UInt64
    /// Nil when no tokens are drafted for the job.
    var speculation: SpeculationRun?
    /// How late its tokens are.
    private(set) var losses: LossWindow

    /// Starts `job`, going on where `suspended` stopped, in a sequence that holds its first `cached` tokens.
    init(
        sequence: Int32, job: GenerationJob, admission: UInt64, resuming suspended: Slot? = nil, cached: Int = 0,
        reuse: PromptReuse = PromptReuse(), checkpoints: [Int] = [], speculation: SpeculationRun? = nil
    ) {
        self.sequence = sequence
        self.job = job
        self.admission = suspended?.admission ?? admission
        self.checkpoints = checkpoints
        self.reuse = suspended?.reuse ?? reuse
        ledger = suspended?.ledger ?? job.prompt
        cachedCount = cached
        self.speculation = suspended?.speculation ?? speculation
        losses = suspended?.losses ?? LossWindow()
    }

    var generatedCount: Int { ledger.count - job.prompt.count }

    /// Tokens still to be computed before the next one can be sampled; never 0 between steps.
    var pendingCount: Int { ledger.count - cachedCount }

    /// Pending tokens up to the next checkpoint.
    var contiguousCount: Int { (nextCheckpoint ?? ledger.count) - cachedCount }

    /// Whether a checkpoint belongs behind the cached tokens.
    var isAtCheckpoint: Bool { checkpoints.contains(cachedCount) }

    /// The tokens that are in the cache.
    var cachedTokens: ArraySlice<Token> { ledger[..<cachedCount] }

    private var nextCheckpoint: Int? { checkpoints.first { $0 > cachedCount } }

    /// Whether one token is pending after at least one was generated: the steady state of a running job.
    var isDecoding: Bool { generatedCount > 0 && pendingCount == 1 }

    /// Batch entries for the next `count` pending tokens; the last pending token wants logits.
    func entries(_ count: Int) -> some Collection<BatchEntry> {
        (cachedCount..<(cachedCount + count)).lazy.map { position in
            BatchEntry(
                token: ledger[position], position: position, sequence: sequence,
                wantsLogits: position == ledger.count - 1)
        }
    }

    /// Whether tokens are drafted for it.
    var drafts: Bool { speculation?.tally.isStopped == false }

    mutating func noteLoss(tokens: Int, loss: Double) {
        losses.note(tokens: tokens, loss: loss)
    }

    mutating func markCached(_ count: Int) {
        cachedCount += count
    }

    mutating func append(_ token: Token) {
        ledger.append(token)
    }

    /// Only the first `count` tokens are left in the cache; what is missing is computed again.
    mutating func rewind(to count: Int) {
        cachedCount = count
    }

    /// The first `count` tokens came from the cache of another job.
    mutating func adopt(_ count: Int, reuse: PromptReuse?) {
        cachedCount = count
        if let reuse { self.reuse = reuse }
    }
}
