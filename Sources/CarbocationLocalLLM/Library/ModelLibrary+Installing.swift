public import Foundation

extension ModelLibrary {
    /// Installs a model of one file, which is moved into the library.
    ///
    /// The model appears whole or not at all; when the call fails, the file is where it was.
    ///
    /// - Parameters:
    ///   - url: The weights.
    ///   - displayName: A name for people.
    ///   - filename: The name the file gets, ending in `.gguf`.
    ///   - sizeBytes: The size to list; 0 or less for the file's own.
    ///   - source: Where the model came from.
    ///   - hfRepo: The Hugging Face repository it came from.
    ///   - hfFilename: The path in that repository.
    ///   - sha256: The SHA-256 of the file, if it is known.
    ///   - contextLength: The training context; 0 or less to take it from the header, else from the probe.
    ///   - quantization: The quantization; nil to take it from the header, else from the name.
    /// - Returns: The installed model.
    /// - Throws: ``ModelLibraryError``, or an error of the file system.
    @discardableResult
    public func add(
        weightsAt url: URL, displayName: String, filename: String, sizeBytes: Int64 = 0, source: ModelSource,
        hfRepo: String? = nil, hfFilename: String? = nil, sha256: String? = nil, contextLength: Int = 0,
        quantization: String? = nil
    ) async throws -> InstalledModel {
        let weights = ModelLibraryInstallArtifact(
            sourceURL: url, role: .primaryModel, relativePath: filename, sizeBytes: sizeBytes, sha256: sha256)
        return try await add(
            artifacts: [weights], displayName: displayName, source: source, hfRepo: hfRepo, hfFilename: hfFilename,
            contextLength: contextLength, quantization: quantization)
    }

    /// Installs a model of several files.
    ///
    /// The model appears whole or not at all; when the call fails or is cancelled, all files are where they were.
    ///
    /// - Parameters:
    ///   - artifacts: The files, among them one primary model and all parts that its name announces.
    ///   - displayName: A name for people.
    ///   - source: Where the model came from.
    ///   - hfRepo: The Hugging Face repository it came from.
    ///   - hfFilename: The path of the weights in that repository.
    ///   - contextLength: The training context; 0 or less to take it from the header, else from the probe.
    ///   - quantization: The quantization; nil to take it from the header, else from the name.
    /// - Returns: The installed model.
    /// - Throws: ``ModelLibraryError``, ``GGUFReaderError`` for a part that contradicts its name, `CancellationError`,
    ///   or an error of the file system.
    @discardableResult
    public func add(
        artifacts: [ModelLibraryInstallArtifact], displayName: String, source: ModelSource, hfRepo: String? = nil,
        hfFilename: String? = nil, contextLength: Int = 0, quantization: String? = nil
    ) async throws -> InstalledModel {
        let request = InstallRequest(
            artifacts: artifacts, displayName: displayName, source: source, hfRepo: hfRepo, hfFilename: hfFilename,
            contextLength: contextLength, quantization: quantization)
        return try await install { _ in request }
    }

    /// Adds a projector to one of the app's own models, or replaces the one at its place.
    ///
    /// The model keeps its id and is listed all the time, with the projector or without; when the call fails or is
    /// cancelled, the file is where it was.
    ///
    /// - Parameters:
    ///   - projector: The file; its role does not count.
    ///   - id: The model's id.
    /// - Returns: The model with its projector.
    /// - Throws: ``ModelLibraryError``, with ``ModelLibraryError/missingPrimaryArtifact`` for an id that no model has,
    ///   `CancellationError`, or an error of the file system.
    @discardableResult
    package func add(projector: ModelLibraryInstallArtifact, to id: UUID) async throws -> InstalledModel {
        guard let model = await resolveInstalledModel(id: id) else { throw ModelLibraryError.missingPrimaryArtifact }
        guard !model.isReadOnly else { throw ModelLibraryError.readOnlyModel(model.displayName) }
        let changed = try await worker.perform { worker, checkpoint in
            try ProjectorInstaller(layout: worker.layout, calls: worker.calls)
                .install(projector, into: model, checkpoint: checkpoint)
        }
        await refresh()
        return self.model(id: id) ?? changed
    }

    /// Installs what a download brought.
    ///
    /// A projector that was downloaded for a model which is installed already is added to that.
    ///
    /// - Parameters:
    ///   - download: The result of ``ModelDownloader``.
    ///   - displayName: A name for people; nil for that of the repository's file.
    ///   - source: Where the model came from.
    /// - Returns: The installed model.
    /// - Throws: The errors of ``add(artifacts:displayName:source:hfRepo:hfFilename:contextLength:quantization:)``.
    @discardableResult
    public func install(
        _ download: HuggingFaceModelDownloadResult, displayName: String? = nil, source: ModelSource = .customHF
    ) async throws -> InstalledModel {
        let resolution = download.resolution
        if resolution.isProjectorAlone, let projector = download.artifacts.first {
            guard let owner = owner(ofProjectorIn: resolution) else { throw ModelLibraryError.missingPrimaryArtifact }
            return try await add(projector: projector, to: owner.id)
        }
        return try await add(
            artifacts: download.artifacts, displayName: displayName ?? resolution.displayName, source: source,
            hfRepo: resolution.reference.repo, hfFilename: resolution.primaryArtifact.path,
            quantization: resolution.quantization)
    }

    /// Copies a model file into the library, see ``importFiles(at:displayName:)``.
    ///
    /// - Parameters:
    ///   - url: The file; of a split model, any part.
    ///   - displayName: A name for people; nil for the file's name.
    /// - Returns: The installed model.
    /// - Throws: The errors of ``importFiles(at:displayName:)``.
    @discardableResult
    public func importFile(at url: URL, displayName: String? = nil) async throws -> InstalledModel {
        try await importFiles(at: [url], displayName: displayName)
    }

    /// Copies a model into the library.
    ///
    /// The first file that is a model is taken, with all parts of it. Parts that were not chosen are looked for beside
    /// it, and so is a projector whose name fits.
    ///
    /// - Parameters:
    ///   - urls: The files that were chosen.
    ///   - displayName: A name for people; nil for the file's name.
    /// - Returns: The installed model.
    /// - Throws: ``ModelLibraryError/sourceFileMissing(_:)`` naming a missing file or part,
    ///   ``ModelLibraryError/missingPrimaryArtifact`` when none of the files is a model, and the errors of
    ///   ``add(artifacts:displayName:source:hfRepo:hfFilename:contextLength:quantization:)``.
    @discardableResult
    public func importFiles(at urls: [URL], displayName: String? = nil) async throws -> InstalledModel {
        try await withAccess(to: urls) {
            try await install { worker in
                try ModelImporter(calls: worker.calls).request(for: urls, displayName: displayName)
            }
        }
    }

    /// The model that a projector belongs to which was downloaded alone; of several the one that was installed last.
    private func owner(ofProjectorIn resolution: HuggingFaceResolution) -> InstalledModel? {
        let reference = resolution.reference
        return models.filter { !$0.isReadOnly && $0.hfRepo == reference.repo && $0.hfFilename == reference.file }
            .max { $0.installedAt < $1.installedAt }
    }

    private func install(
        _ makeRequest: @escaping @Sendable (LibraryWorker) throws -> InstallRequest
    ) async throws -> InstalledModel {
        let installed = try await worker.perform { worker, checkpoint in
            let request = try makeRequest(worker)
            return try ModelInstaller(layout: worker.layout, calls: worker.calls, probe: worker.probe)
                .install(request, now: worker.now(), checkpoint: checkpoint)
        }
        await refresh()
        return model(id: installed.id) ?? installed
    }

    /// Files from a picker may be read only between these two calls.
    private func withAccess<Value>(to urls: [URL], _ body: () async throws -> Value) async rethrows -> Value {
        #if canImport(Darwin)
            let opened = urls.filter { $0.startAccessingSecurityScopedResource() }
            defer { for url in opened { url.stopAccessingSecurityScopedResource() } }
        #endif
        return try await body()
    }
}
