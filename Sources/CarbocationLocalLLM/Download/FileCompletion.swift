import Foundation

/// Verifies a file that has arrived and gives it its final name.
struct FileCompletion: Sendable {
    let item: DownloadItem
    let store: PartialStore

    /// Checks size, magic and hash, in this order, and waits until the file is on disk.
    func complete(_ received: ReceivedFile) async throws -> FinishedFile {
        let size = received.size
        if let expected = item.expectedBytes, expected != size {
            throw ModelDownloaderError.sizeMismatch(expected: expected, actual: size)
        }
        try checkMagic(received.site.file)
        async let flushed: Void = flush(received)
        let digest = try await received.site.hasher.digest(of: size)
        try await flushed
        if let expected = received.sidecar.sha256, expected != digest {
            throw ModelDownloaderError.hashMismatch(expected: expected, actual: digest)
        }
        var sidecar = received.sidecar
        sidecar.totalBytes = size
        sidecar.sha256 = digest
        try await finish(sidecar, on: received.site.disk)
        return FinishedFile(url: store.files.finished, size: size, sha256: digest)
    }

    private func finish(_ sidecar: DownloadSidecar, on disk: DiskQueue) async throws {
        let store = store
        try await disk.run { try store.complete(sidecar) }
    }

    private func flush(_ received: ReceivedFile) async throws {
        try await received.journal?.checkpoint()
        let site = received.site
        try await site.disk.run { try site.flush() }
    }

    private func checkMagic(_ file: any DownloadFile) throws {
        var start = [UInt8](repeating: 0, count: 64)
        let count = try start.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        try start.prefix(count).withUnsafeBytes { bytes in
            guard count >= 4 else { throw ModelDownloaderError.notAGGUF(MagicCheck.describe(bytes)) }
            try MagicCheck.check(bytes, at: 0)
        }
    }
}
