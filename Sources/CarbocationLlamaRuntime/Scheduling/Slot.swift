/// A sequence of the KV cache and the job that runs in it.
struct Slot {
    let sequence: Int32
    let job: GenerationJob
    /// Every token of the sequence: the prompt, then what was generated.
    private(set) var ledger: [Token]
    /// Tokens at the front of `ledger` that are in the KV cache.
    private(set) var cachedCount = 0
    /// Grows with each admission, so that the youngest run can be found.
    let admission: UInt64

    /// Starts `job`, going on where `suspended` stopped.
    init(sequence: Int32, job: GenerationJob, admission: UInt64, resuming suspended: Slot? = nil) {
        self.sequence = sequence
        self.job = job
        self.admission = admission
        ledger = suspended?.ledger ?? job.prompt
    }

    var generatedCount: Int { ledger.count - job.prompt.count }

    /// Tokens still to be computed before the next one can be sampled; never 0 between steps.
    var pendingCount: Int { ledger.count - cachedCount }

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

    mutating func markCached(_ count: Int) {
        cachedCount += count
    }

    mutating func append(_ token: Token) {
        ledger.append(token)
    }

    /// Forgets the cached tokens, so that the ledger is computed again.
    mutating func clearCache() {
        cachedCount = 0
    }
}
