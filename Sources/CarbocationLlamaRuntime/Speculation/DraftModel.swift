/// A smaller model with the vocabulary of the one it drafts for, and what each of its sequences has read.
///
/// Sequences have the numbers of the sequences that they draft for.
// `@unchecked` because the inference thread alone uses it.
final class DraftModel: @unchecked Sendable {
    /// Tokens that are less likely than this are not drafted, nor what would follow them.
    static let leastProbability = 0.5
    /// Tokens that are better read along with a draft.
    static let shortDistance = 8
    /// Most tokens read at once; between two such batches jobs can be cancelled.
    static let largestBatch = 256

    private struct Reading {
        var tokens: [Token] = []
        /// The job that reads, and how many tokens at the front are known to be its own.
        var job: UInt64 = 0
        var agreed = 0
    }

    private let context: any DraftingContext
    private let leastProbability: Double
    private var readings: [Int32: Reading] = [:]
    private var lastJob: UInt64 = 0
    /// After a failure nothing is known of the context.
    private(set) var hasFailed = false

    init(context: any DraftingContext, leastProbability: Double = DraftModel.leastProbability) {
        self.context = context
        self.leastProbability = leastProbability
    }

    /// A number for a job, whose tokens only ever grow.
    func newJob() -> UInt64 {
        lastJob += 1
        return lastJob
    }

    func setThreads(_ count: Int) {
        context.setThreads(count)
    }

    /// Reads on in the first `count` of a job's tokens, at most ``largestBatch`` of them; returns how many are left.
    func read(_ tokens: [Token], upTo count: Int, job: UInt64, in sequence: Int32) -> Int {
        guard count > 0, !hasFailed else { return 0 }
        let start = min(common(tokens, job: job, in: sequence), count)
        guard count - start > Self.shortDistance, cut(sequence, to: start) else { return 0 }
        let kept = readings[sequence]?.tokens.count ?? 0
        let end = min(count, kept + min(Self.largestBatch, context.batchSize))
        return compute(tokens[kept..<end], in: sequence) ? count - end : 0
    }

    /// At most `count` tokens that this model expects behind `tokens`, all but a few of which it has read.
    func draft(after tokens: [Token], count: Int, job: UInt64, in sequence: Int32) -> [Token] {
        guard !tokens.isEmpty, !hasFailed,
            cut(sequence, to: min(common(tokens, job: job, in: sequence), tokens.count - 1))
        else { return [] }
        var draft: [Token] = []
        var pending = tokens[(readings[sequence]?.tokens.count ?? 0)...]
        while draft.count < count {
            guard compute(pending, in: sequence), let next = context.likeliest(row: pending.count - 1),
                next.probability >= leastProbability, !context.endsGeneration(next.token)
            else { break }
            draft.append(next.token)
            pending = [next.token]
        }
        return draft
    }

    /// How many tokens of a job its sequence holds.
    private func common(_ tokens: [Token], job: UInt64, in sequence: Int32) -> Int {
        var reading = readings[sequence] ?? Reading()
        if reading.job != job { (reading.job, reading.agreed) = (job, 0) }
        let limit = min(reading.tokens.count, tokens.count)
        while reading.agreed < limit, reading.tokens[reading.agreed] == tokens[reading.agreed] { reading.agreed += 1 }
        readings[sequence] = reading
        return reading.agreed
    }

    /// Takes a sequence back to its first `count` tokens or to none; false after a failure.
    private func cut(_ sequence: Int32, to count: Int) -> Bool {
        guard var reading = readings[sequence], count < reading.tokens.count else { return true }
        let isCut = count > 0 && context.removeSuffix(of: sequence, from: count)
        let kept = isCut ? count : 0
        if !isCut, !context.removeSuffix(of: sequence, from: 0) { hasFailed = true }
        reading.tokens.removeLast(reading.tokens.count - kept)
        reading.agreed = min(kept, reading.agreed)
        readings[sequence] = reading
        return !hasFailed
    }

    private func compute(_ tokens: ArraySlice<Token>, in sequence: Int32) -> Bool {
        let start = readings[sequence]?.tokens.count ?? 0
        let batch = tokens.enumerated().map { offset, token in
            BatchEntry(
                token: token, position: start + offset, sequence: sequence, wantsLogits: offset == tokens.count - 1)
        }
        guard !hasFailed, tokens.count <= context.batchSize else { return false }
        var outcome = context.decode(batch)
        if outcome == .full {
            for other in readings.keys where other != sequence { _ = cut(other, to: 0) }
            outcome = context.decode(batch)
        }
        switch outcome {
        case .decoded:
            readings[sequence, default: Reading()].tokens += tokens
            return true
        case .full: return false
        case .aborted:
            takeBack(sequence, to: start)
            return false
        case .failed:
            hasFailed = true
            return false
        }
    }

    /// Takes a sequence back to its first `count` tokens, or to none, after a batch that may have stored a part of itself.
    private func takeBack(_ sequence: Int32, to count: Int) {
        if count > 0, context.removeSuffix(of: sequence, from: count) { return }
        if !context.removeSuffix(of: sequence, from: 0) { hasFailed = true }
        readings[sequence] = nil
    }
}
