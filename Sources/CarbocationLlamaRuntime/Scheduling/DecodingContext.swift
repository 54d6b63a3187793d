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
/// One thread uses it, except `requestAbort` and `setWanted`.
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

    /// Whether `removeSuffix` is expected to work. Changes nothing.
    func canRemoveSuffix(of sequence: Int32, from position: Int) -> Bool

    /// Whether sequences can share the cells of a common prefix.
    var copiesPrefixes: Bool { get }

    /// Lets the empty sequence `target` begin with the first `count` tokens of `source`; false when nothing was copied.
    func copyPrefix(of source: Int32, to target: Int32, count: Int) -> Bool

    /// Whether a sequence of `count` tokens, once it has grown, can go back to them only with a checkpoint.
    func needsCheckpoint(at count: Int) -> Bool

    /// What is needed to take `sequence` back to what it is now; nil when that is more than `limit` bytes.
    func saveCheckpoint(of sequence: Int32, limit: Int) -> [UInt8]?

    /// Takes `sequence` back to its first `count` tokens; after false it is unknown what it holds.
    func restoreCheckpoint(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool

    /// Lets the empty sequence `target` begin with the first `count` tokens of `source`, whose checkpoint that is.
    ///
    /// After false it is unknown what `target` holds.
    func copyCheckpoint(_ bytes: [UInt8], of source: Int32, to target: Int32, count: Int) -> Bool

    /// All that the memory holds of `sequence`; nil when it cannot be saved.
    func saveState(of sequence: Int32) -> [UInt8]?

    /// Lets `sequence` hold `count` tokens again, in a memory that holds nothing, and still does after false.
    func restoreState(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool

    /// Whether prediction layers, if there are any, read the batches to come; a batch takes longer by that.
    func setPredicting(_ isOn: Bool)

    /// Makes the running decode end with ``DecodeOutcome/aborted`` soon. From any thread.
    func requestAbort()

    func clearAbort()

    /// Says whether anybody still waits for this context, as is so at first. From any thread.
    ///
    /// It stops nothing: a server that does not answer is given up sooner when nobody does.
    func setWanted(_ isWanted: Bool)

    /// Lets the next decode end with ``DecodeOutcome/aborted`` once it computes for so many seconds; nil sets no limit.
    func setDeadline(_ seconds: Double?)

    /// Whether the last decode was stopped by the limit that was set last.
    var missedDeadline: Bool { get }

    /// Computes with that many threads from the next batch on.
    func setThreads(_ count: Int)
}

/// A memory that shares and restores nothing, and computes without limits of time.
extension DecodingContext {
    func setWanted(_ isWanted: Bool) {}
    func setPredicting(_ isOn: Bool) {}
    func setDeadline(_ seconds: Double?) {}
    var missedDeadline: Bool { false }
    func canRemoveSuffix(of sequence: Int32, from position: Int) -> Bool { true }
    var copiesPrefixes: Bool { false }
    func copyPrefix(of source: Int32, to target: Int32, count: Int) -> Bool { false }
    func needsCheckpoint(at count: Int) -> Bool { false }
    func saveCheckpoint(of sequence: Int32, limit: Int) -> [UInt8]? { nil }
    func restoreCheckpoint(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool { false }
    func copyCheckpoint(_ bytes: [UInt8], of source: Int32, to target: Int32, count: Int) -> Bool { false }
    func saveState(of sequence: Int32) -> [UInt8]? { nil }
    func restoreState(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool { false }
}
