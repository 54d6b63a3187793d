import CarbocationLocalLLM

@testable import CarbocationLlamaRuntime

/// A KV cache without a model: checks what real memory would demand, and scripts its answers.
// `@unchecked` because each test drives it from one thread.
final class FakeContext: DecodingContext, @unchecked Sendable {
    let cellCount: Int
    let batchSize: Int
    let microBatchSize: Int
    /// False imitates recurrent memory, which drops sequences only as a whole.
    var dropsSuffixes = true
    /// Answers to give instead of decoding, first one next.
    var scriptedOutcomes: [DecodeOutcome] = []
    private(set) var abortRequests = 0
    private(set) var threadCounts: [Int] = []
    /// False imitates memory that cannot even be cleared.
    var clears = true
    private(set) var batches: [[BatchEntry]] = []
    private(set) var cache: [Int32: [Token]] = [:]
    /// The tokens that were in front of each batch entry when it was computed, by row of the last batch.
    private(set) var histories: [[Token]] = []

    init(cellCount: Int = 4096, batchSize: Int = 512, microBatchSize: Int = 512) {
        self.cellCount = cellCount
        self.batchSize = batchSize
        self.microBatchSize = microBatchSize
    }

    func decode(_ batch: [BatchEntry]) -> DecodeOutcome {
        batches.append(batch)
        if !scriptedOutcomes.isEmpty {
            let outcome = scriptedOutcomes.removeFirst()
            if outcome == .aborted || outcome == .failed("") { store(batch.prefix(batch.count / 2)) }
            if outcome != .decoded { return outcome }
        }
        guard cache.values.reduce(0, { $0 + $1.count }) + batch.count <= cellCount else { return .full }
        histories = []
        store(batch[...])
        return .decoded
    }

    private func store(_ entries: ArraySlice<BatchEntry>) {
        for entry in entries {
            precondition(entry.position == cache[entry.sequence, default: []].count, "positions must be contiguous")
            cache[entry.sequence, default: []].append(entry.token)
            histories.append(cache[entry.sequence, default: []])
        }
    }

    func removeSuffix(of sequence: Int32, from position: Int) -> Bool {
        let count = cache[sequence, default: []].count
        if position == 0 {
            guard clears else { return false }
            cache[sequence] = nil
            return true
        }
        if position >= count { return true }
        guard dropsSuffixes else { return false }
        cache[sequence]?.removeLast(count - position)
        return true
    }

    func requestAbort() {
        abortRequests += 1
    }

    func clearAbort() {}

    func setThreads(_ count: Int) {
        threadCounts.append(count)
    }
}

/// Records what a job produced.
// `@unchecked` because each test drives it from one thread.
final class RecordingOutput: TokenOutput, @unchecked Sendable {
    private(set) var tokens: [Token] = []
    private(set) var progress: [PromptProgress] = []
    private(set) var outcomes: [JobOutcome] = []
    /// Ends the job when this token comes.
    var stopToken: Token?

    func consume(_ token: Token) -> LLMStopReason? {
        tokens.append(token)
        return token == stopToken ? .stopSequence : nil
    }

    func report(_ progress: PromptProgress) {
        self.progress.append(progress)
    }

    func finish(_ outcome: JobOutcome) {
        outcomes.append(outcome)
    }

    /// How the job ended, as text: `complete`, `cancelled`, `failed`, or `running`.
    var end: String {
        guard let outcome = outcomes.first else { return "running" }
        switch outcome.end {
        case .stopped(let reason): return reason.rawValue
        case .cancelled: return "cancelled"
        case .failed: return "failed"
        }
    }
}

extension FakeContext {
    /// The token that ends generation in these tests.
    static let endToken: Token = 0

    /// A job whose next token is a function of all tokens before it, so that a wrong cache gives wrong tokens.
    func job(
        _ id: GenerationJob.ID, prompt: [Token], limit: Int = 4, reason: LLMStopReason = .maxTokens,
        output: RecordingOutput
    ) -> GenerationJob {
        GenerationJob(
            id: id, prompt: prompt, outputLimit: limit, limitReason: reason,
            sample: { [self] row in Self.next(after: histories[row]) },
            endsGeneration: { $0 == Self.endToken }, output: output)
    }

    static func next(after history: [Token]) -> Token {
        history.reduce(7) { ($0 &* 31 &+ $1) % 9973 } % 97 + 1
    }

    /// What a lone, undisturbed run generates.
    static func expected(prompt: [Token], count: Int) -> [Token] {
        var history = prompt
        for _ in 0..<count { history.append(next(after: history)) }
        return Array(history.dropFirst(prompt.count))
    }
}

extension Scheduler {
    /// Runs steps until nothing is left, at most `limit`.
    mutating func run(limit: Int = 10_000) {
        for _ in 0..<limit where !isIdle {
            let plan = plan()
            if !plan.entries.isEmpty { perform(plan) }
        }
    }
}
