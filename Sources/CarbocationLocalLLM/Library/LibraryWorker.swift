import Dispatch
import Foundation

/// The file work of a library, on threads that may block.
final class LibraryWorker: Sendable {
    let layout: LibraryLayout
    let root: URL
    let calls: any FileCalls
    let probe: ModelContextLengthProbe?

    private let configuration: ModelLibrarySearchConfiguration
    let now: @Sendable () -> Date
    private let state = Locked(State())

    private struct State {
        /// Nil until the index file was read.
        var index: LibraryIndex?
        /// What the last refresh found, and what was made of it.
        var models: [InstalledModel] = []
        var contents = Contents()
        var hasTidiedUp = false
    }

    init(
        root: URL, configuration: ModelLibrarySearchConfiguration, probe: ModelContextLengthProbe?,
        calls: any FileCalls, now: @escaping @Sendable () -> Date
    ) {
        self.root = root
        layout = LibraryLayout(root: root)
        self.configuration = configuration
        self.probe = probe
        self.calls = calls
        self.now = now
    }

    /// Runs `body` on a thread of its own, with a check that throws once the calling task is cancelled.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (LibraryWorker, _ checkpoint: () throws -> Void) throws -> Value
    ) async throws -> Value {
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "CarbocationLocalLLM.ModelLibrary", qos: .userInitiated).async {
                    continuation.resume(
                        with: Result {
                            try body(self) { if isCancelled.withLock({ $0 }) { throw CancellationError() } }
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }
}

// MARK: - Refreshing

extension LibraryWorker {
    /// What a library shows.
    struct Contents: Sendable, Equatable {
        private(set) var models: [InstalledModel] = []
        var damaged: [DamagedInstalledModel] = []
        var partials: [PartialDownload] = []
        /// Where in `models` a model stands.
        private(set) var positions: [UUID: Int] = [:]

        mutating func show(_ found: [InstalledModel]) {
            models = ModelOrder.sorted(found)
            positions = Dictionary(
                models.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// What there is now; nil when that is what was shown before.
    func refreshed(since shown: Contents) async -> Contents? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "CarbocationLocalLLM.ModelLibrary.refresh", qos: .userInitiated).async {
                let contents = self.scan()
                continuation.resume(returning: contents == shown ? nil : contents)
            }
        }
    }

    private func scan() -> Contents {
        let file = IndexFile(layout: layout, calls: calls)
        let last = state.withLock { $0 }
        let known = last.index ?? file.read()
        let findings = LibraryScanner(layout: layout, configuration: configuration, calls: calls).scan(known: known)
        if !findings.index.holdsTheSame(as: known) { file.write(findings.index) }
        tidyUp(file, findings.entries)
        var contents = last.contents
        if last.models != findings.models { contents.show(findings.models) }
        contents.damaged = findings.damaged
        contents.partials = ModelDownloader.listPartials(in: root)
        state.withLock { state in
            state.index = findings.index
            state.models = findings.models
            state.contents = contents
        }
        return contents
    }

    /// Removes what other processes left, once for each library.
    private func tidyUp(_ file: IndexFile, _ entries: [DirectoryEntry]) {
        let isFirst = state.withLock { state in
            defer { state.hasTidiedUp = true }
            return !state.hasTidiedUp
        }
        guard isFirst else { return }
        file.removeAbandoned(entries, now: now())
        StagingArea(layout: layout, calls: calls).removeAbandoned(now: now())
    }
}
