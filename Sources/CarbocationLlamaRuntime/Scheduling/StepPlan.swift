/// The batch of one step: a token of every decoding slot and at most one micro-batch of prompt tokens.
///
/// A pure function of the slots, so a step can be checked without a model.
struct StepPlan {
    /// The part of the batch that belongs to one slot.
    struct Share: Equatable {
        /// Index of the slot in the scheduler's list.
        var slot: Int
        var tokenCount: Int
        /// Batch index of the entry whose logits are sampled first; nil while prompt tokens are left.
        var logitsRow: Int?
        /// Drafted tokens at its end, the logits of which are sampled too.
        var draftCount = 0
    }

    private(set) var entries: [BatchEntry] = []
    private(set) var shares: [Share] = []

    /// Plans the next step.
    ///
    /// Prompts are filled in the order of admission, one micro-batch per step, without those of `heldBack` slots.
    /// `drafts` are tokens to append to decoding slots; with those the batch must not be too large.
    init(
        slots: [Slot], batchSize: Int, microBatchSize: Int, heldBack: Set<Int> = [], drafts: [Int: [Token]] = [:]
    ) {
        for (index, slot) in slots.enumerated() where slot.isDecoding && entries.count < batchSize {
            add(slot, index: index, count: 1, draft: drafts[index] ?? [])
        }
        var promptRoom = min(microBatchSize, batchSize - entries.count)
        for (index, slot) in slots.enumerated() where !slot.isDecoding && promptRoom > 0 {
            guard !heldBack.contains(index) else { continue }
            let count = min(slot.contiguousCount, promptRoom)
            add(slot, index: index, count: count)
            promptRoom -= count
        }
    }

    /// Drafted tokens in the batch.
    var draftCount: Int { shares.reduce(0) { $0 + $1.draftCount } }

    /// Whether there are prompt tokens in the batch, so that it may take long.
    var holdsPrompt: Bool { entries.count - draftCount > shares.count }

    private mutating func add(_ slot: Slot, index: Int, count: Int, draft: [Token] = []) {
        entries.append(contentsOf: slot.entries(count))
        let isComplete = count == slot.pendingCount
        shares.append(
            Share(
                slot: index, tokenCount: count + draft.count, logitsRow: isComplete ? entries.count - 1 : nil,
                draftCount: draft.count))
        for (offset, token) in draft.enumerated() {
            entries.append(
                BatchEntry(
                    token: token, position: slot.ledger.count + offset, sequence: slot.sequence, wantsLogits: true))
        }
    }
}
