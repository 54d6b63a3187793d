import Foundation

/// What all requests for one file share: the open file, its hasher, and where to count and to save.
struct TransferSite: Sendable {
    /// Room to leave on the volume.
    static let spareBytes: Int64 = 64 << 20

    let item: DownloadItem
    let store: PartialStore
    let environment: DownloadEnvironment
    let configuration: ModelDownloadConfiguration
    let tally: ProgressTally
    let file: any DownloadFile
    let hasher: TrailingHasher
    let buffers = BodyBufferPool()
    let control = TransferControl()
    let disk = DiskQueue("disk")
    private let early: EarlyFlush

    init(transfer: FileTransfer, file: any DownloadFile) {
        item = transfer.item
        store = transfer.store
        environment = transfer.environment
        configuration = transfer.configuration
        tally = transfer.tally
        self.file = file
        hasher = TrailingHasher(file: file)
        early = EarlyFlush(file: file, queue: disk)
    }

    /// Writes a part of a body to its place.
    func write(_ buffer: BodyBuffer, at start: Int64) throws {
        try file.write(buffer.bytes, at: start)
        try early.note(writtenBytes: buffer.bytes.count)
    }

    /// Waits until all that was written is on disk; blocks.
    func flush() throws {
        try early.throwFailure()
        try file.flush()
    }

    /// A fresh count of tries.
    var retryBudget: RetryBudget {
        RetryBudget(environment: environment, control: control, limit: configuration.maximumRetries)
    }

    /// Makes sure that the rest of this file and of those that are downloaded with it has room.
    ///
    /// - Throws: ``ModelDownloaderError/insufficientDiskSpace(required:available:)``.
    func checkSpace(remaining: Int64) throws {
        guard let available = environment.fileSystem.availableBytes(at: store.files.folder) else { return }
        let required = remaining.addingSaturated(tally.remainingElsewhere).addingSaturated(Self.spareBytes)
        guard available >= required else {
            throw ModelDownloaderError.insufficientDiskSpace(required: required, available: available)
        }
    }

    /// Takes note of a file whose size has become known, before any of it is written.
    func admit(total: Int64?) throws {
        if let total, let expected = item.expectedBytes, total != expected {
            throw ModelDownloaderError.sizeMismatch(expected: expected, actual: total)
        }
        try checkSpace(remaining: total ?? item.expectedBytes ?? 0)
        tally.setTotal(total ?? item.expectedBytes ?? 0)
        tally.setPresent(0)
    }
}

/// A file of which everything has arrived, but nothing is verified.
struct ReceivedFile: Sendable {
    var site: TransferSite
    var sidecar: DownloadSidecar
    var size: Int64
    /// Lists the chunks, if the file came in chunks.
    var journal: ChunkJournal?
}
