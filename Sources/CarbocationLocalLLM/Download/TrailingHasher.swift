import Foundation

/// Hashes a file while it grows, some way behind its writers.
///
/// What was written a moment ago is read from memory, so at the end little is left to do.
// `@unchecked` because the hasher, its position and failure are touched on the queue only.
final class TrailingHasher: @unchecked Sendable {
    /// Small enough to stay in the processor's cache between reading and hashing.
    private static let bufferSize = 256 << 10

    private let file: any DownloadFile
    private let queue = DiskQueue("hash")
    private let isCancelled = Locked(false)
    private let announced = Locked<Int64>(0)
    private let buffer: UnsafeMutableRawBufferPointer

    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var position: Int64 = 0
    private var failure: (any Error)?

    init(file: any DownloadFile) {
        self.file = file
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 4096)
    }

    deinit { buffer.deallocate() }

    /// Says that the file will not change any more before `prefix`.
    func advance(to prefix: Int64) {
        queue.submit { self.hash(to: prefix) }
    }

    /// As `advance(to:)`, but only if at least `stride` bytes have been added since the last time.
    func advance(to prefix: Int64, atLeast stride: Int64) {
        let isDue = announced.withLock { announced in
            guard prefix - announced >= stride else { return false }
            announced = prefix
            return true
        }
        if isDue { advance(to: prefix) }
    }

    /// Begins again, because bytes that were hashed already have been written anew.
    func rewind() {
        announced.withLock { $0 = 0 }
        queue.submit { [self] in
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

    private func hash(to end: Int64) {
        while position < end, failure == nil, !isCancelled.withLock({ $0 }) {
            do {
                let length = Int(min(Int64(buffer.count), end - position))
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length))
                let count = try file.read(into: part, at: position)
                guard count > 0 else { throw FileSystemFailure(operation: "read", name: "download", code: EIO) }
                hasher?.update(UnsafeRawBufferPointer(rebasing: part.prefix(count)))
                position += Int64(count)
            } catch {
                failure = error
            }
        }
    }
}
