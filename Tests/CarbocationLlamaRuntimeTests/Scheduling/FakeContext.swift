import CarbocationLocalLLM

@testable import CarbocationLlamaRuntime

/// A KV cache without a model: checks what real memory would demand, and scripts its answers.
// `@unchecked` because each test drives it from one thread.
final class FakeContext: DecodingContext, @unchecked Sendable {
    let cellCount: Int
    let batchSize: Int
    let microBatchSize: Int
    /// Answers to give instead of decoding, first one next.
    var scriptedOutcomes: [DecodeOutcome] = []
    private(set) var abortRequests = 0
    private(set) var threadCounts: [Int] = []
    /// False imitates memory that cannot even be cleared.
    var clears = true
    /// Refuses removals and restorations of which this says true, though they seemed possible.
    var refuses: () -> Bool = { false }
    private(set) var memory: FakeMemory
    private(set) var batches: [[BatchEntry]] = []
    private(set) var copies = 0
    private(set) var restorations = 0
    /// Removals of a part of a sequence that were asked for.
    private(set) var partialRemovals = 0
    /// The tokens that were in front of each batch entry with logits, by row of the last batch.
    private(set) var histories: [Int: [Token]] = [:]

    init(
        _ kind: FakeMemory.Kind = .standard, cellCount: Int = 4096, batchSize: Int = 512, microBatchSize: Int = 512
    ) {
        memory = FakeMemory(kind)
        self.cellCount = cellCount
        self.batchSize = batchSize
        self.microBatchSize = microBatchSize
    }

    /// The tokens of each sequence.
    var cache: [Int32: [Token]] { memory.contents }

    func decode(_ batch: [BatchEntry]) -> DecodeOutcome {
        batches.append(batch)
        if !scriptedOutcomes.isEmpty {
            let outcome = scriptedOutcomes.removeFirst()
            if outcome == .aborted || outcome == .failed("") { store(batch.prefix(batch.count / 2)) }
            if outcome != .decoded { return outcome }
        }
        guard memory.usedCells + batch.count <= cellCount else { return .full }
        store(batch[...])
        return .decoded
    }

    private func store(_ entries: ArraySlice<BatchEntry>) {
        histories = [:]
        for (row, entry) in entries.enumerated() {
            memory.append(entry)
            if entry.wantsLogits { histories[row] = memory.tokens(of: entry.sequence) }
        }
    }

    func removeSuffix(of sequence: Int32, from position: Int) -> Bool {
        if position == 0 {
            guard clears else { return false }
        } else if position < memory.tokens(of: sequence).count {
            partialRemovals += 1
            guard memory.canRemove(from: position, of: sequence), !refuses() else { return false }
        }
        memory.remove(from: position, of: sequence)
        return true
    }

    func canRemoveSuffix(of sequence: Int32, from position: Int) -> Bool {
        memory.canRemove(from: position, of: sequence)
    }

    var copiesPrefixes: Bool { memory.kind == .standard }

    func copyPrefix(of source: Int32, to target: Int32, count: Int) -> Bool {
        copies += 1
        return memory.copy(count, of: source, to: target)
    }

    func needsCheckpoint(at count: Int) -> Bool {
        memory.kind == .recurrent || (memory.kind == .windowed && count > FakeMemory.window)
    }

    func saveCheckpoint(of sequence: Int32, limit: Int) -> [UInt8]? {
        let bytes = memory.checkpoint(of: sequence)
        return bytes.count <= limit ? bytes : nil
    }

    func restoreCheckpoint(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool {
        guard !refuses() else { return false }
        restorations += 1
        memory.restore(bytes, of: sequence, count: count)
        return true
    }

    func copyCheckpoint(_ bytes: [UInt8], of source: Int32, to target: Int32, count: Int) -> Bool {
        copies += 1
        memory.copyCheckpoint(bytes, of: source, to: target, count: count)
        return !refuses()
    }

    func saveState(of sequence: Int32) -> [UInt8]? {
        let bytes = memory.checkpoint(of: sequence)
        return bytes.isEmpty ? nil : bytes
    }

    func restoreState(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool {
        guard memory.usedCells == 0, bytes.count == count, !refuses() else { return false }
        memory.load(bytes, of: sequence)
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
        output: RecordingOutput, isSpeculative: Bool = false
    ) -> GenerationJob {
        GenerationJob(
            id: id, prompt: prompt, outputLimit: limit, limitReason: reason,
            sample: { [self] row in Self.next(after: histories[row] ?? []) },
            endsGeneration: { $0 == Self.endToken }, output: output, isSpeculative: isSpeculative)
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
