/// Which chunks are to be fetched, which have arrived, and which of those the sidecar lists.
final class ChunkJournal: Sendable {
    private struct State {
        var plan: ChunkPlan
        var listedCount: Int
    }

    private let site: TransferSite
    private let base: DownloadSidecar
    private let state: Locked<State>

    /// Creates the journal of a file of which no chunk has arrived.
    convenience init(site: TransferSite, sidecar: DownloadSidecar, totalBytes: Int64) {
        self.init(
            site: site, sidecar: sidecar, plan: ChunkPlan(totalBytes: totalBytes, chunkSize: sidecar.chunkSize))
    }

    /// Creates the journal of a file whose chunks so far are flushed and listed.
    init(site: TransferSite, sidecar: DownloadSidecar, plan: ChunkPlan) {
        self.site = site
        base = sidecar
        state = Locked(State(plan: plan, listedCount: plan.done.count))
        site.hasher.advance(to: plan.prefixBytes)
    }

    /// The sidecar with all chunks that have arrived.
    var sidecar: DownloadSidecar {
        var sidecar = base
        sidecar.doneChunks = state.withLock { $0.plan.done }.sorted()
        return sidecar
    }

    var validator: RemoteValidator { base.validator }
    var totalBytes: Int64 { base.totalBytes }

    /// How many workers can have something to do.
    var missingCount: Int64 { state.withLock { $0.plan.count - Int64($0.plan.done.count) } }

    /// The next chunk to fetch.
    func take() -> (index: Int64, range: Range<Int64>)? {
        state.withLock { state in state.plan.takeNext().map { ($0, state.plan.range(of: $0)) } }
    }

    /// Whether all chunks before this one have arrived, but not the chunk itself.
    func isFirstGap(_ index: Int64) -> Bool {
        state.withLock { $0.plan.isFirstGap(index) }
    }

    /// Notes that a chunk is written.
    ///
    /// - Parameters:
    ///   - index: The chunk.
    ///   - hasOverwritten: Whether bytes before the chunk have been written anew.
    func finish(_ index: Int64, hasOverwritten: Bool) {
        let prefix = state.withLock { state in
            state.plan.markDone(index)
            return state.plan.prefixBytes
        }
        if hasOverwritten { site.hasher.rewind() }
        site.hasher.advance(to: prefix)
    }

    /// Flushes the data and then lists the chunks that had arrived before.
    func checkpoint() async throws {
        try await site.disk.run { [self] in
            let arrived = state.withLock { state in
                state.plan.done.count == state.listedCount ? nil : state.plan.done
            }
            guard let arrived else { return }
            try site.flush()
            var sidecar = base
            sidecar.doneChunks = arrived.sorted()
            try site.store.save(sidecar)
            state.withLock { $0.listedCount = arrived.count }
        }
    }
}
