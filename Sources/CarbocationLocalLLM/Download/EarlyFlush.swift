/// Flushes a file now and then while it is written, so that the flush that is waited for at the end is short.
///
/// At most one flush is under way or waits for its turn.
final class EarlyFlush: Sendable {
    private struct State {
        /// Since the last flush began.
        var writtenBytes = 0
        var isPending = false
        var failure: (any Error)?
    }

    private let file: any DownloadFile
    private let queue: DiskQueue
    private let stride: Int
    private let state = Locked(State())

    /// Creates the flushing of one file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - queue: Where flushes wait for the disk.
    ///   - stride: The bytes that are written between two flushes.
    init(file: any DownloadFile, queue: DiskQueue, stride: Int = 64 << 20) {
        self.file = file
        self.queue = queue
        self.stride = stride
    }

    /// Notes that bytes have been written, and begins a flush when it is time.
    ///
    /// - Throws: The failure of an earlier flush.
    func note(writtenBytes: Int) throws {
        let isDue = try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.writtenBytes += writtenBytes
            guard state.writtenBytes >= stride, !state.isPending else { return false }
            state.writtenBytes = 0
            state.isPending = true
            return true
        }
        if isDue { queue.submit { self.flush() } }
    }

    /// Throws the failure of an earlier flush.
    ///
    /// The system tells of a failure once only: a later flush of the same file would succeed without the bytes.
    func throwFailure() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func flush() {
        let failure: (any Error)?
        do {
            try file.flush()
            failure = nil
        } catch {
            failure = error
        }
        state.withLock { state in
            state.isPending = false
            state.failure = state.failure ?? failure
        }
    }
}
