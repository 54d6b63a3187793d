import Foundation

/// Downloads single files and whole models.
///
/// All that it needs from the world comes in by value.
struct DownloadEngine: Sendable {
    typealias OnProgress = @Sendable (DownloadProgress) -> Void

    var environment = DownloadEnvironment()
    var transfers = SharedTransfers()
    var resolverClient: any HuggingFaceModelResolverHTTPClient = HuggingFaceHTTPClient()

    /// The engine of the process.
    static let live = DownloadEngine()

    /// Downloads the file at an address.
    func download(
        from url: URL, root: URL, displayName: String?, expectedSHA256: String?, token: String?,
        configuration: ModelDownloadConfiguration, onProgress: @escaping OnProgress
    ) async throws -> ModelDownloadResult {
        guard HTTPOrigin(url) != nil, url.user == nil, url.password == nil else {
            throw ModelDownloaderError.badURL(DownloadFailure.shown(url))
        }
        let item = DownloadItem(
            url: url, displayName: displayName ?? url.lastPathComponent, token: BearerToken(token, for: url),
            expectedSHA256: Self.expected(expectedSHA256))
        let files = PartialFiles(root: root, source: url)
        let finished = try await transfers.run("file \(files.data.path)", onProgress: onProgress) { report in
            try await fetch(item, files, configuration, report)
        }
        // A transfer that was joined knows nothing of what this caller expects.
        if let expected = item.expectedSHA256, expected != finished.sha256 {
            throw ModelDownloaderError.hashMismatch(expected: expected, actual: finished.sha256)
        }
        return ModelDownloadResult(tempURL: finished.url, sizeBytes: finished.size, sha256: finished.sha256)
    }

    private func fetch(
        _ item: DownloadItem, _ files: PartialFiles, _ configuration: ModelDownloadConfiguration,
        _ report: @escaping OnProgress
    ) async throws -> FinishedFile {
        try await Self.explainingFailures {
            try environment.fileSystem.createFolder(files.folder)
            let lock = try await environment.locks.acquire(files)
            defer { lock.release() }
            let store = PartialStore(files: files, fileSystem: environment.fileSystem)
            let present = try store.present(source: item.url)
            let ledger = ProgressLedger(totals: [present.total])
            ledger.setPresent(present.bytes, of: 0)
            let transfer = FileTransfer(
                item: item, store: store, environment: environment, configuration: configuration,
                tally: ProgressTally(ledger: ledger, item: 0))
            let reporter = ProgressReporter(ledger: ledger, clock: environment.clock, onProgress: report)
            let finished = try await reporter.reporting { try await transfer.run() }
            try store.forget()
            return finished
        }
    }

    /// The digest in the form in which digests are computed; nil when there is no expectation.
    static func expected(_ sha256: String?) -> String? {
        let text = sha256?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return text.isEmpty ? nil : SHA256Text.normalized(text) ?? text.lowercased()
    }

    /// Turns failures of the file system into errors for callers.
    static func explainingFailures<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as FileSystemFailure {
            throw ModelDownloaderError.fileSystem(failure.reason)
        }
    }
}
