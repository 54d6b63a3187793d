public import Foundation

extension ModelLibrary {
    /// Deletes a model or a damaged entry, with all its files.
    ///
    /// An id that nothing has is not an error.
    ///
    /// - Parameter id: The id of a model or a damaged entry.
    /// - Throws: ``ModelLibraryError/readOnlyModel(_:)`` for a model of another program, or an error of the file system.
    public func delete(id: UUID) async throws {
        if let model = model(id: id), model.isReadOnly {
            throw ModelLibraryError.readOnlyModel(model.displayName)
        }
        let folder = damagedModels.first { $0.id == id }?.directory.lastPathComponent ?? id.uuidString
        try await worker.perform { worker, _ in
            try ModelDeletion(layout: worker.layout, calls: worker.calls)
                .delete(folder: folder, id: id, now: worker.now())
        }
        await refresh()
    }

    /// Deletes what an unfinished download has stored.
    ///
    /// - Parameter partial: An element of ``partials``.
    /// - Throws: ``ModelLibraryError/unsafeArtifactPath(_:)`` for files that are not among the library's downloads, or
    ///   an error of the file system.
    public func deletePartial(_ partial: PartialDownload) async throws {
        for url in [partial.partialURL, partial.sidecarURL] {
            guard worker.layout.holdsPartial(url) else { throw ModelLibraryError.unsafeArtifactPath(url.path) }
        }
        try await worker.perform { _, _ in try ModelDownloader.deletePartial(partial) }
        await refresh()
    }

    /// Stores the training context of a model, in tokens.
    ///
    /// Numbers of 0 and below, the number that is known already, and unknown ids change nothing.
    ///
    /// - Parameters:
    ///   - contextLength: The training context.
    ///   - id: The model's id.
    /// - Throws: ``ModelLibraryError/readOnlyModel(_:)`` for a model of another program,
    ///   ``ModelLibraryError/metadataWriteFailed(_:)`` when it cannot be stored.
    public func syncContextLength(_ contextLength: Int, for id: UUID) async throws {
        guard let model = model(id: id) else { return }
        guard !model.isReadOnly else { throw ModelLibraryError.readOnlyModel(model.displayName) }
        guard contextLength > 0, contextLength != model.contextLength else { return }
        try await worker.perform { worker, _ in
            try MetadataUpdate(layout: worker.layout, calls: worker.calls)
                .setContextLength(contextLength, of: model)
        }
        await refresh()
    }
}

extension LibraryLayout {
    /// Whether a file lies directly in the folder of unfinished downloads.
    fileprivate func holdsPartial(_ url: URL) -> Bool {
        url.isFileURL && url.standardizedFileURL.deletingLastPathComponent().path == partials
    }
}
