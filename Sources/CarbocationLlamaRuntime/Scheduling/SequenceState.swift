/// All that a sequence held when no job ran in it, so that another context can go on from there.
struct SequenceState: Sendable {
    /// What takes the sequence back to its first `count` tokens.
    struct Checkpoint: Sendable {
        let count: Int
        let bytes: [UInt8]
    }

    let tokens: [Token]
    /// How many of them were the prompt of the job that ran last.
    let promptCount: Int
    /// The memory's own form of it.
    let bytes: [UInt8]
    var checkpoints: [Checkpoint] = []
}
