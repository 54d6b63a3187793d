/// A vocabulary index.
typealias Token = Int32

/// One token of a batch: where it goes, and whether something is sampled after it.
struct BatchEntry: Hashable, Sendable {
    var token: Token
    /// Index in its sequence, from 0.
    var position: Int
    var sequence: Int32
    var wantsLogits: Bool
}

/// What computing a batch came to.
enum DecodeOutcome: Equatable, Sendable {
    case decoded
    /// The KV cache has no room; nothing was stored.
    case full
    /// An abort was requested; some entries may be stored.
    case aborted
    /// The engine failed; some entries may be stored.
    case failed(String)
}

/// The KV cache and compute that a ``Scheduler`` drives.
///
/// One thread uses it, except `requestAbort`.
protocol DecodingContext: AnyObject, Sendable {
    /// Tokens that fit in the cache, over all sequences.
    var cellCount: Int { get }
    /// Most entries of one batch.
    var batchSize: Int { get }
    /// Entries computed at once.
    var microBatchSize: Int { get }

    func decode(_ batch: [BatchEntry]) -> DecodeOutcome

    /// Drops positions from `position` on; false when the model's memory cannot, and nothing was dropped.
    func removeSuffix(of sequence: Int32, from position: Int) -> Bool

    /// Makes the running decode end with ``DecodeOutcome/aborted`` soon. From any thread.
    func requestAbort()

    func clearAbort()

    /// Computes with that many threads from the next batch on.
    func setThreads(_ count: Int)
}
