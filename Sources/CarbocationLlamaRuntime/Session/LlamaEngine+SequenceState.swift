extension LlamaEngine {
    /// What the last generation left in the KV cache; nil when that is nothing or cannot be saved.
    func exportState() async -> SequenceState? {
        await onSequences { $0.exportIdle() } ?? nil
    }

    /// Lets the next prompts build on what another context held; false when this one cannot take it.
    @discardableResult
    func importState(_ state: SequenceState) async -> Bool {
        await onSequences { $0.importIdle(state) } ?? false
    }

    /// Forgets what generations have left in the KV cache.
    func clearState() async {
        await onSequences { $0.clearIdle() }
    }

    @discardableResult
    private func onSequences<Value: Sendable>(
        _ work: @escaping @Sendable (inout SequencePool) -> Value
    ) async -> Value? {
        guard let model = try? beginLease() else { return nil }
        defer { endLease() }
        return await model.loop.perform(work)
    }
}
