/// The batch of one step: a token of every decoding slot and at most one micro-batch of prompt tokens.
///
/// A pure function of the slots, so a step can be checked without a model.
struct StepPlan {
    /// The part of the batch that belongs to one slot.
    struct Share: Equatable {
        /// Index of the slot in the scheduler's list.
        var slot: Int
        var tokenCount: Int
        /// Batch index of the entry whose logits are sampled; nil while prompt tokens are left.
        var logitsRow: Int?
    }

    private(set) var entries: [BatchEntry] = []
    private(set) var shares: [Share] = []

    /// Plans the next step.
    ///
    /// Prompts are filled in the order of admission, one micro-batch per step, without those of `heldBack` slots.
    init(slots: [Slot], batchSize: Int, microBatchSize: Int, heldBack: Set<Int> = []) {
        for (index, slot) in slots.enumerated() where slot.isDecoding && entries.count < batchSize {
            add(slot, index: index, count: 1)
        }
        var promptRoom = min(microBatchSize, batchSize - entries.count)
        for (index, slot) in slots.enumerated() where !slot.isDecoding && promptRoom > 0 {
            guard !heldBack.contains(index) else { continue }
            let count = min(slot.contiguousCount, promptRoom)
            add(slot, index: index, count: count)
            promptRoom -= count
        }
    }

    private mutating func add(_ slot: Slot, index: Int, count: Int) {
        entries.append(contentsOf: slot.entries(count))
        let isComplete = count == slot.pendingCount
        shares.append(Share(slot: index, tokenCount: count, logitsRow: isComplete ? entries.count - 1 : nil))
    }
}
