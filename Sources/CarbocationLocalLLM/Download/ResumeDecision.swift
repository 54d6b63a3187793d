/// How to go on with data that an earlier call has left.
enum ResumeDecision: Sendable, Equatable {
    /// Fetch the chunks that are missing, if any.
    case chunks(ChunkPlan)
    /// Fetch from the given byte on, if it is not the end.
    case stream(have: Int64)
    /// The data is of no use.
    case startOver

    /// Decides by what is on disk alone.
    ///
    /// Data that is not whole is kept only if the server can be asked for a part of the very same version.
    init(_ sidecar: DownloadSidecar, dataSize: Int64, expectedBytes: Int64?) {
        let total = sidecar.totalBytes
        let canJoin = sidecar.validator.ifRange != nil
        if total > 0, let expectedBytes, expectedBytes != total {
            self = .startOver
        } else if let plan = sidecar.plan {
            let present = ChunkPlan(
                totalBytes: total, chunkSize: plan.chunkSize,
                done: plan.done.filter { plan.range(of: $0).upperBound <= dataSize })
            self = present.isComplete || (canJoin && present.doneBytes > 0) ? .chunks(present) : .startOver
        } else if total > 0, dataSize >= total {
            self = dataSize == total ? .stream(have: total) : .startOver
        } else {
            self = canJoin && dataSize > 0 ? .stream(have: dataSize) : .startOver
        }
    }
}
