import Foundation

/// Hashes a file while it grows.
///
/// Bytes that come in order are hashed from memory, and those who bring them wait when they are quicker than the hash.
/// All others are read from the file once everything before them is there.
// `@unchecked` because the hasher, its position and failure are touched on the queue only.
final class TrailingHasher: @unchecked Sendable {
    /// Small enough to stay in the processor's cache between reading and hashing.
    private static let bufferSize = 256 << 10

    /// How many buffers may wait in memory.
    private static let queueLength = 8

    /// How much comes between two turns of reading the file.
    private static let stride: Int64 = 4 << 20

    private let file: any DownloadFile
    private let queue = DiskQueue("hash")
    private let isCancelled = Locked(false)
    private let progress = Locked(Progress())
    private let room = DispatchSemaphore(value: queueLength)
    private let buffer: UnsafeMutableRawBufferPointer

    private struct Progress {
        /// Up to where hashing has been asked for.
        var submitted: Int64 = 0
        var hashed: Int64 = 0
        /// Which beginning this is.
        var generation = 0
    }

    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var position: Int64 = 0
    private var generation = 0
    private var failure: (any Error)?

    init(file: any DownloadFile) {
        self.file = file
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 4096)
    }

    deinit { buffer.deallocate() }

    /// Says that the file will not change any more before `prefix`.
    func advance(to prefix: Int64) {
        progress.withLock { $0.submitted = max($0.submitted, prefix) }
        queue.submit { self.hash(to: prefix) }
    }

    /// Says that the file will not change any more before the end of `buffer`, which has been written to it.
    ///
    /// Waits a moment if the hasher is busy with the bytes that came just before.
    ///
    /// - Parameters:
    ///   - buffer: What has been written.
    ///   - start: Where it is in the file.
    func take(_ buffer: BodyBuffer, at start: Int64) {
        let end = start + Int64(buffer.bytes.count)
        let (isNext, isDue, generation) = progress.withLock { progress in
            // Those who come while much is to be read from the file must not wait for that.
            let isNext = start == progress.submitted && start - progress.hashed <= BodyBuffer.size * Self.queueLength
            let isDue = !isNext && end - progress.submitted >= Self.stride
            if isNext || isDue { progress.submitted = end }
            return (isNext, isDue, progress.generation)
        }
        if isNext { enqueue(buffer, at: start, generation: generation) }
        if isDue { advance(to: end) }
    }

    /// Begins again, because bytes that were hashed already have been written anew.
    func rewind() {
        let generation = progress.withLock { progress in
            progress.submitted = 0
            progress.hashed = 0
            progress.generation += 1
            return progress.generation
        }
        queue.submit { [self] in
            self.generation = generation
            hasher = SHA256Hasher()
            position = 0
            failure = nil
        }
    }

    /// The digest of the first `total` bytes.
    ///
    /// To be asked once, at the end.
    ///
    /// - Throws: `CancellationError` or a `FileSystemFailure`.
    func digest(of total: Int64) async throws -> String {
        try await withTaskCancellationHandler {
            try await queue.run { try self.finish(total) }
        } onCancel: {
            cancel()
        }
    }

    /// Stops reading the file.
    func cancel() {
        isCancelled.withLock { $0 = true }
    }

    private func finish(_ total: Int64) throws -> String {
        hash(to: total)
        if let failure { throw failure }
        guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
        guard let hasher = hasher.take() else { preconditionFailure("a digest was asked for twice") }
        return hasher.finish()
    }

    private func enqueue(_ buffer: BodyBuffer, at start: Int64, generation: Int) {
        room.wait()
        queue.submit { [self] in
            defer { room.signal() }
            // After a new beginning the bytes are read from the file.
            if generation == self.generation, start == position { update(buffer.bytes) }
        }
    }

    private func update(_ bytes: UnsafeRawBufferPointer) {
        hasher?.update(bytes)
        position += Int64(bytes.count)
        progress.withLock { progress in
            if progress.generation == generation { progress.hashed = position }
        }
    }

    private func hash(to end: Int64) {
        while position < end, failure == nil, !isCancelled.withLock({ $0 }) {
            do {
                let length = Int(min(Int64(buffer.count), end - position))
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length))
                let count = try file.read(into: part, at: position)
                guard count > 0 else { throw FileSystemFailure(operation: "read", name: "download", code: EIO) }
                update(UnsafeRawBufferPointer(rebasing: part.prefix(count)))
            } catch {
                failure = error
            }
        }
    }
}
