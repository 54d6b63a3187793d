import Foundation

/// Brings the files of one model onto disk.
struct SetTransfer: Sendable {
    let engine: DownloadEngine
    let model: DownloadSet
    let root: URL
    let configuration: ModelDownloadConfiguration

    private var environment: DownloadEnvironment { engine.environment }
    private var stores: [PartialStore] {
        model.items.map { item in
            PartialStore(files: PartialFiles(root: root, source: item.url), fileSystem: environment.fileSystem)
        }
    }

    /// The transfer of some of the files, for the holder of the locks of all.
    func part(_ resolution: HuggingFaceResolution, token: String?) throws -> SetTransfer {
        SetTransfer(
            engine: engine, model: try DownloadSet(resolution, token: token), root: root, configuration: configuration)
    }

    /// Waits for the exclusive right to the model's files.
    func acquireLocks() async throws -> SetLocks {
        try environment.fileSystem.createFolder(PartialFiles.folder(in: root))
        var held: [String: HeldDownloadLock] = [:]
        for files in model.lockedFiles(in: root) { held[files.key] = try await environment.locks.acquire(files) }
        return SetLocks(held: held)
    }

    /// Fetches what is missing of each file, in order.
    ///
    /// Files that are complete stay so when a later one fails.
    func run(_ locks: SetLocks, _ report: @escaping DownloadEngine.OnProgress) async throws -> [FinishedFile] {
        let stores = stores
        let ledger = ProgressLedger(totals: model.items.map { $0.expectedBytes ?? 0 })
        for (index, store) in stores.enumerated() {
            ledger.setPresent(try store.present(source: model.items[index].url).bytes, of: index)
        }
        let reporter = ProgressReporter(ledger: ledger, clock: environment.clock, onProgress: report)
        return try await reporter.reporting {
            var finished: [FinishedFile] = []
            for (index, store) in stores.enumerated() {
                let lock = locks.holds(store.files) ? nil : try await environment.locks.acquire(store.files)
                defer { lock?.release() }
                let transfer = FileTransfer(
                    item: model.items[index], store: store, environment: environment, configuration: configuration,
                    tally: ProgressTally(ledger: ledger, item: index))
                finished.append(try await transfer.run())
            }
            return finished
        }
    }

    /// Gives the files second names for an installation to take away.
    ///
    /// Until the model is installed they stay where they are as well: if the process ends in between, nothing has to be
    /// fetched again. Where the volume has no links, the files themselves are handed over.
    func handOver(_ finished: [FinishedFile]) throws -> [FinishedFile] {
        try zip(stores, finished).map { store, file in
            try environment.fileSystem.remove(store.files.handover)
            guard (try? environment.fileSystem.link(file.url, to: store.files.handover)) != nil else { return file }
            return FinishedFile(url: store.files.handover, size: file.size, sha256: file.sha256)
        }
    }

    /// Removes what the installation has left.
    ///
    /// The model is there, so a failure harms nobody.
    func removeFiles() {
        for store in stores { try? store.discard() }
    }
}

/// The locks of a set while it is worked on.
struct SetLocks: Sendable {
    /// By the key of the files.
    let held: [String: HeldDownloadLock]

    func holds(_ files: PartialFiles) -> Bool { held[files.key] != nil }

    func release() {
        for lock in held.values { lock.release() }
    }
}
