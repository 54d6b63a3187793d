package import Foundation

extension SHA256Hasher {
    private static let blockSize = 4 << 20

    /// The digest of a whole file, read in blocks on a thread of its own.
    ///
    /// - Parameters:
    ///   - url: The file, whose bytes nobody changes meanwhile.
    ///   - onProgress: Gets the count of bytes hashed so far after each block, on the reading thread.
    /// - Returns: 64 lower-case hexadecimal digits.
    /// - Throws: `CancellationError`, `CocoaError` when the file cannot be opened, `POSIXError` when it cannot be read.
    package static func hash(
        fileAt url: URL, onProgress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> String {
        try Task.checkCancellation()
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    let digest = Result {
                        try hash(fileAt: url, unless: { isCancelled.withLock { $0 } }, onProgress: onProgress)
                    }
                    continuation.resume(with: digest)
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private static func hash(
        fileAt url: URL, unless isCancelled: () -> Bool, onProgress: (Int64) -> Void
    ) throws -> String {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
        defer { block.deallocate() }
        var hasher = SHA256Hasher()
        var count: Int64 = 0
        while true {
            if isCancelled() { throw CancellationError() }
            let bytes = read(file.fileDescriptor, block.baseAddress, block.count)
            if bytes < 0, errno == EINTR { continue }
            guard bytes >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            guard bytes > 0 else { return hasher.finish() }
            hasher.update(UnsafeRawBufferPointer(rebasing: block[..<bytes]))
            count += Int64(bytes)
            onProgress(count)
        }
    }
}
