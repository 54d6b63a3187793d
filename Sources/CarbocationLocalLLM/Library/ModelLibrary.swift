public import Foundation

#if canImport(Observation)
    public import Observation
#endif

/// The models on this computer: the app's own, and those of other programs, which are only read.
///
/// ```swift
/// let library = ModelLibrary(root: ModelStorage.modelsDirectory(appSupportFolderName: "MyApp"))
/// await library.refresh()
/// for model in library.models { print(model.displayName) }
/// ```
///
/// The lists change on the main actor and can be observed. All file work happens elsewhere, so no call holds up the
/// main thread. Several libraries, in several processes too, may share a root.
#if canImport(Observation)
    @Observable
#endif
@MainActor
public final class ModelLibrary {
    /// The folder of the app's own models.
    public nonisolated let root: URL
    /// The models that can be loaded, small ones first; as of the last refresh.
    public private(set) var models: [InstalledModel] = []
    /// Downloads that were begun and not finished; as of the last refresh.
    public private(set) var partials: [PartialDownload] = []
    /// Folders that should hold a model but cannot be loaded; as of the last refresh.
    public private(set) var damagedModels: [DamagedInstalledModel] = []

    let worker: LibraryWorker
    private var shown = LibraryWorker.Contents()
    private var runningRefresh: Task<Void, Never>?
    private var waitingRefresh: Task<Void, Never>?

    /// Creates a library that shows nothing until it is refreshed.
    ///
    /// - Parameters:
    ///   - root: The folder of the app's own models, see ``ModelStorage``. It is created when a model is installed.
    ///   - fileManager: Kept for callers that pass one; the files are reached by the system's own calls.
    ///   - searchConfiguration: Where to look for models.
    ///   - contextLengthProbe: Asked for the training context of a model that is installed and whose file does not
    ///     state it.
    public convenience init(
        root: URL,
        fileManager: FileManager = .default,
        searchConfiguration: ModelLibrarySearchConfiguration = .platformDefault(),
        contextLengthProbe: ModelContextLengthProbe? = nil
    ) {
        self.init(
            root: root, searchConfiguration: searchConfiguration, contextLengthProbe: contextLengthProbe,
            calls: SystemFileCalls())
    }

    /// Creates a library with other system calls or another clock.
    package init(
        root: URL, searchConfiguration: ModelLibrarySearchConfiguration,
        contextLengthProbe: ModelContextLengthProbe? = nil, calls: any FileCalls,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.root = root
        worker = LibraryWorker(
            root: root, configuration: searchConfiguration, probe: contextLengthProbe, calls: calls, now: now)
    }

    /// Brings the lists up to date.
    ///
    /// Model files are opened only when they are new or have changed. Calls that come while a refresh runs share the
    /// next one, so that each call sees everything that happened before it. A folder that cannot be read counts as
    /// empty.
    public func refresh() async {
        await nextRefresh().value
    }

    private func nextRefresh() -> Task<Void, Never> {
        if let waitingRefresh { return waitingRefresh }
        let previous = runningRefresh
        let refresh = Task {
            await previous?.value
            runningRefresh = waitingRefresh
            waitingRefresh = nil
            if let contents = await worker.refreshed(since: shown) { show(contents) }
        }
        waitingRefresh = refresh
        return refresh
    }

    private func show(_ contents: LibraryWorker.Contents) {
        if shown.models != contents.models { models = contents.models }
        if shown.damaged != contents.damaged { damagedModels = contents.damaged }
        if shown.partials != contents.partials { partials = contents.partials }
        shown = contents
    }
}

// MARK: - Looking up

extension ModelLibrary {
    /// The model with an id, as the folders are now.
    ///
    /// - Parameters:
    ///   - id: The model's id.
    ///   - refreshing: Whether to bring the lists up to date first; otherwise only what they show counts.
    /// - Returns: The model, or nil when it is not there or damaged.
    public func resolveInstalledModel(id: UUID, refreshing: Bool = true) async -> InstalledModel? {
        if refreshing { await refresh() }
        return model(id: id)
    }

    /// The listed model with an id, or nil.
    public func model(id: UUID) -> InstalledModel? {
        let models = models
        guard let position = shown.positions[id], position < models.count else { return nil }
        return models[position]
    }

    /// The listed model whose id a text states, in any case, or nil.
    public func model(id: String) -> InstalledModel? {
        UUID(uuidString: id.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { model(id: $0) }
    }

    /// The listed model with the content that a download would bring, its projector included, or nil.
    package func model(with resolution: HuggingFaceResolution) -> InstalledModel? {
        models.first { $0.hasWeights(of: resolution) && $0.hasProjector(of: resolution) }
    }

    /// The listed model that has all that a download would bring but the projector, and can be given that; or nil.
    package func model(lackingProjectorOf resolution: HuggingFaceResolution) -> InstalledModel? {
        models.first { !$0.isReadOnly && $0.hasWeights(of: resolution) && !$0.hasProjector(of: resolution) }
    }

    /// The bytes that the app's own models and unfinished downloads take, as listed.
    public func totalDiskUsageBytes() -> Int64 {
        let installed = models.reduce(0 as Int64) { $1.isReadOnly ? $0 : $0.addingSaturated(max(0, $1.sizeBytes)) }
        return partials.reduce(installed) { $0.addingSaturated(max(0, $1.bytesOnDisk)) }
    }
}
