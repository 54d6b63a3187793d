/// Copies of what a memory cannot take back, so that sequences can return to earlier points.
///
/// Bounded in number for each sequence and in bytes over all; the oldest go first.
struct CheckpointStore {
    struct Checkpoint {
        let sequence: Int32
        /// Tokens of the sequence that it stands behind.
        let count: Int
        let bytes: [UInt8]
    }

    /// Bytes over all sequences: several states of a hybrid model, or a window of 1024 tokens of one with 4 billion
    /// weights.
    static let maximumBytes = 128 << 20
    static let maximumCountPerSequence = 3
    /// Going back by less than this is not worth a checkpoint.
    static let minimumDistance = 64
    /// How far before its end a prompt gets a checkpoint: templates write the end of a prompt differently once the
    /// reply follows.
    static let tail = 16

    let limit: Int
    /// Oldest first.
    private var checkpoints: [Checkpoint] = []

    init(limit: Int = Self.maximumBytes) {
        self.limit = limit
    }

    /// The last checkpoint of `sequence` within its first `count` tokens.
    func latest(of sequence: Int32, within count: Int) -> Checkpoint? {
        checkpoints.filter { $0.sequence == sequence && $0.count <= count }.max { $0.count < $1.count }
    }

    /// The checkpoints of `sequence`, oldest first.
    func all(of sequence: Int32) -> [Checkpoint] {
        checkpoints.filter { $0.sequence == sequence }
    }

    mutating func add(_ checkpoint: Checkpoint) {
        checkpoints.removeAll { $0.sequence == checkpoint.sequence && $0.count == checkpoint.count }
        checkpoints.append(checkpoint)
        let own = checkpoints.filter { $0.sequence == checkpoint.sequence }
        if own.count > Self.maximumCountPerSequence, let oldest = own.first {
            checkpoints.removeAll { $0.sequence == oldest.sequence && $0.count == oldest.count }
        }
        while checkpoints.reduce(0, { $0 + $1.bytes.count }) > limit { checkpoints.removeFirst() }
    }

    /// Forgets what lies behind the first `count` tokens of `sequence`.
    mutating func cut(_ sequence: Int32, to count: Int) {
        checkpoints.removeAll { $0.sequence == sequence && $0.count > count }
    }
}
