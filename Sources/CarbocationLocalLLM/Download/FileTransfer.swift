import Foundation

/// Brings one file onto disk, from whatever state an earlier call has left.
///
/// For the holder of the file's lock.
struct FileTransfer: Sendable {
    let item: DownloadItem
    let store: PartialStore
    let environment: DownloadEnvironment
    let configuration: ModelDownloadConfiguration
    let tally: ProgressTally

    /// Fetches what is missing, verifies the whole and gives it its final name.
    ///
    /// - Throws: `ModelDownloaderError` or `CancellationError`; then no byte is written any more, and what has arrived
    ///   is kept unless the error says otherwise.
    func run() async throws -> FinishedFile {
        do {
            return try await runRestarting()
        } catch {
            switch DownloadFailure(error, url: item.url) {
            case .retry(let failure): throw ModelDownloaderError.retriesExhausted(failure.reason)
            case .restart: throw ModelDownloaderError.incompleteResponse
            case .final(let error): throw error
            }
        }
    }

    /// A file that changes on the server is started over, but only once.
    private func runRestarting() async throws -> FinishedFile {
        do {
            return try await attempt()
        } catch is RemoteFileChanged {
            try store.clear()
            return try await attempt()
        }
    }

    private func attempt() async throws -> FinishedFile {
        do {
            switch try store.load(source: item.url) {
            case .complete(let sidecar, let size):
                if let finished = try await recall(sidecar, size: size) { return finished }
                return try await complete(try await start())
            case .partial(let sidecar, let dataSize):
                if let received = try await resume(sidecar, dataSize: dataSize) { return try await complete(received) }
                return try await complete(try await start())
            case .absent:
                return try await complete(try await start())
            }
        } catch let error as ModelDownloaderError where error.makesDataWorthless {
            try store.discard()
            throw error
        } catch {
            clearUnusable()
            throw error
        }
    }

    /// Removes data that no later call could go on with, because nothing has come or its size is unknown.
    private func clearUnusable() {
        do {
            guard try store.sidecar()?.totalBytes ?? 0 == 0 else { return }
            try store.clear()
        } catch {
            // What cannot be read now may be readable the next time, so it stays.
        }
    }

    // MARK: Ways to the whole file

    private func start() async throws -> ReceivedFile {
        try store.clear()
        tally.setPresent(0)
        let file = try store.fileSystem.openFile(store.files.data)
        let site = TransferSite(transfer: self, file: file)
        let opening = try await OpeningRequest(site: site).send()
        if opening.isRanged, let total = opening.total {
            let journal = ChunkJournal(site: site, sidecar: opening.sidecar, totalBytes: total)
            try await ChunkTransfer(site: site, journal: journal, head: opening.received).run()
            return ReceivedFile(site: site, sidecar: journal.sidecar, size: total, journal: journal)
        }
        return try await stream(site, StreamState(opening), after: opening.failure)
    }

    /// Nil when what is on disk is of no use.
    private func resume(_ sidecar: DownloadSidecar, dataSize: Int64) async throws -> ReceivedFile? {
        let decision = ResumeDecision(sidecar, dataSize: dataSize, expectedBytes: item.expectedBytes)
        if decision == .startOver { return nil }
        let site = TransferSite(transfer: self, file: try store.fileSystem.openFile(store.files.data))
        var sidecar = sidecar
        sidecar.update(from: item)
        tally.setTotal(sidecar.totalBytes)
        switch decision {
        case .startOver: return nil
        case .chunks(let plan):
            tally.setPresent(plan.doneBytes)
            try site.checkSpace(remaining: plan.remainingBytes)
            let journal = ChunkJournal(site: site, sidecar: sidecar, plan: plan)
            try await ChunkTransfer(site: site, journal: journal, head: 0).run()
            return ReceivedFile(site: site, sidecar: journal.sidecar, size: plan.totalBytes, journal: journal)
        case .stream(let have):
            tally.setPresent(have)
            try site.checkSpace(remaining: max(sidecar.totalBytes - have, 0))
            site.hasher.advance(to: have)
            return try await stream(site, StreamState(sidecar: sidecar, have: have))
        }
    }

    private func stream(
        _ site: TransferSite, _ state: StreamState, after failure: RetryableFailure? = nil
    ) async throws -> ReceivedFile {
        let end = try await StreamTransfer(site: site).run(state, after: failure)
        return ReceivedFile(site: site, sidecar: end.sidecar, size: end.have, journal: nil)
    }

    // MARK: The whole file

    private func complete(_ received: ReceivedFile) async throws -> FinishedFile {
        let finished = try await FileCompletion(item: item, store: store).complete(received)
        tally.setTotal(finished.size)
        tally.setPresent(finished.size)
        return finished
    }

    /// The file of an earlier call; nil when it is not the one that is wanted now.
    private func recall(_ sidecar: DownloadSidecar, size: Int64) async throws -> FinishedFile? {
        let hash: String
        if let known = sidecar.sha256.flatMap(SHA256Text.normalized) {
            hash = known
        } else {
            let file = try store.fileSystem.openFile(store.files.finished)
            hash = try await TrailingHasher(file: file).digest(of: size)
        }
        guard item.expectedSHA256.map({ $0 == hash }) ?? true, item.expectedBytes.map({ $0 == size }) ?? true else {
            try store.discard()
            return nil
        }
        tally.setTotal(size)
        tally.setPresent(size)
        return FinishedFile(url: store.files.finished, size: size, sha256: hash)
    }
}

/// A file that is whole, verified and on disk under its final name.
struct FinishedFile: Sendable, Hashable {
    var url: URL
    var size: Int64
    var sha256: String
}

extension ModelDownloaderError {
    /// Whether what has arrived can never become the file that was asked for.
    fileprivate var makesDataWorthless: Bool {
        switch self {
        case .notAGGUF, .hashMismatch, .sizeMismatch: true
        default: false
        }
    }
}
