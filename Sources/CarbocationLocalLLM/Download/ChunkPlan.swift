/// A file of known size in chunks of equal size, and which of them are there.
///
/// Memory grows with the chunks that are there, never with the size that a server claims.
struct ChunkPlan: Sendable, Equatable {
    let totalBytes: Int64
    let chunkSize: Int64

    /// The chunks that are there.
    private(set) var done: Set<Int64> = []

    /// The bytes of the chunks that are there.
    private(set) var doneBytes: Int64 = 0

    /// How many chunks are there without a gap from the first on.
    private var prefixCount: Int64 = 0

    /// The first chunk that no worker has taken yet.
    private var nextCandidate: Int64 = 0

    /// Numbers outside the file are ignored.
    init(totalBytes: Int64, chunkSize: Int64, done: some Sequence<Int64> = []) {
        self.totalBytes = max(totalBytes, 0)
        self.chunkSize = max(chunkSize, 1)
        for index in done { markDone(index) }
    }

    var count: Int64 { totalBytes / chunkSize + (totalBytes % chunkSize == 0 ? 0 : 1) }

    var isComplete: Bool { prefixCount == count }

    /// The bytes from the start of the file to the first gap.
    var prefixBytes: Int64 { min(totalBytes, prefixCount.multipliedSaturated(by: chunkSize)) }

    var remainingBytes: Int64 { totalBytes - doneBytes }

    /// The bytes of a chunk; the index must be below `count`.
    func range(of index: Int64) -> Range<Int64> {
        let start = index * chunkSize
        return start..<(totalBytes - start < chunkSize ? totalBytes : start + chunkSize)
    }

    /// Whether all chunks before this one are there, but not the chunk itself.
    func isFirstGap(_ index: Int64) -> Bool { index == prefixCount }

    mutating func markDone(_ index: Int64) {
        guard index >= 0, index < count, done.insert(index).inserted else { return }
        let range = range(of: index)
        doneBytes += range.upperBound - range.lowerBound
        while done.contains(prefixCount) { prefixCount += 1 }
    }

    /// The next chunk that is missing and was not taken before.
    mutating func takeNext() -> Int64? {
        nextCandidate = max(nextCandidate, prefixCount)
        while nextCandidate < count {
            defer { nextCandidate += 1 }
            if !done.contains(nextCandidate) { return nextCandidate }
        }
        return nil
    }

    static func == (lhs: ChunkPlan, rhs: ChunkPlan) -> Bool {
        (lhs.totalBytes, lhs.chunkSize, lhs.done) == (rhs.totalBytes, rhs.chunkSize, rhs.done)
    }
}

extension Int64 {
    fileprivate func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
