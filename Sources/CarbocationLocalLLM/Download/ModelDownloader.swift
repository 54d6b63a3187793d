public import Foundation

/// Downloads models: in parts over several connections, resumed after interruptions, verified before they are used.
///
/// Callers that ask for the same thing at the same time share one transfer. Cancelling a call throws
/// `CancellationError`, keeps what has arrived, and no byte is written afterwards. Tokens are sent to the origin of the
/// address, or to the reference's endpoint, and nowhere else.
public enum ModelDownloader {
    /// Finds out what a reference stands for and downloads it.
    ///
    /// - Parameters:
    ///   - reference: The model.
    ///   - root: The models folder.
    ///   - token: An access token for the reference's endpoint.
    ///   - configuration: How to use the network.
    ///   - onProgress: Gets the progress, four times a second at most, on any thread.
    /// - Returns: The files, to be installed with ``ModelLibrary/install(_:displayName:source:)``.
    /// - Throws: ``HuggingFaceModelResolverError``, ``ModelDownloaderError`` or `CancellationError`.
    public static func download(
        _ reference: HuggingFaceModelReference, root: URL, token: String? = nil,
        configuration: ModelDownloadConfiguration = ModelDownloadConfiguration(),
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> HuggingFaceModelDownloadResult {
        try await DownloadEngine.live.download(
            reference, root: root, token: token, configuration: configuration, onProgress: onProgress)
    }

    /// Downloads the files of a model, one after another.
    ///
    /// When one fails, those before it stay and are not fetched again.
    ///
    /// - Parameters:
    ///   - resolution: The files.
    ///   - root: The models folder.
    ///   - token: An access token for the reference's endpoint.
    ///   - configuration: How to use the network.
    ///   - onProgress: Gets the progress of all files together, four times a second at most, on any thread.
    /// - Returns: The files, to be installed with ``ModelLibrary/install(_:displayName:source:)``.
    /// - Throws: ``ModelDownloaderError`` or `CancellationError`.
    public static func download(
        resolution: HuggingFaceResolution, root: URL, token: String? = nil,
        configuration: ModelDownloadConfiguration = ModelDownloadConfiguration(),
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> HuggingFaceModelDownloadResult {
        try await DownloadEngine.live.download(
            resolution, root: root, token: token, configuration: configuration, onProgress: onProgress)
    }

    /// Downloads the file at an address.
    ///
    /// - Parameters:
    ///   - url: An http or https address of a GGUF file.
    ///   - root: The models folder.
    ///   - displayName: A name to show while the download is unfinished.
    ///   - expectedSHA256: The hash that the file must have.
    ///   - token: An access token for the address's origin.
    ///   - configuration: How to use the network.
    ///   - onProgress: Gets the progress, four times a second at most, on any thread.
    /// - Returns: The file, which then belongs to the caller.
    /// - Throws: ``ModelDownloaderError`` or `CancellationError`.
    public static func download(
        from url: URL, root: URL, displayName: String? = nil, expectedSHA256: String? = nil, token: String? = nil,
        configuration: ModelDownloadConfiguration = ModelDownloadConfiguration(),
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> ModelDownloadResult {
        try await DownloadEngine.live.download(
            from: url, root: root, displayName: displayName, expectedSHA256: expectedSHA256, token: token,
            configuration: configuration, onProgress: onProgress)
    }

    /// Goes on with an unfinished download, and with the other files of its model.
    ///
    /// The commit that was recorded is kept.
    ///
    /// - Parameters:
    ///   - partial: An element of ``listPartials(in:)``.
    ///   - root: The models folder.
    ///   - token: An access token for the download's source.
    ///   - configuration: How to use the network.
    ///   - onProgress: Gets the progress, four times a second at most, on any thread.
    /// - Returns: The model if the file belongs to one, else the file.
    /// - Throws: ``HuggingFaceModelResolverError``, ``ModelDownloaderError`` or `CancellationError`.
    public static func resume(
        _ partial: PartialDownload, root: URL, token: String? = nil,
        configuration: ModelDownloadConfiguration = ModelDownloadConfiguration(),
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> ModelDownloadResumeResult {
        try await DownloadEngine.live.resume(
            partial, root: root, token: token, configuration: configuration, onProgress: onProgress)
    }

    /// The address of a file on a hub.
    ///
    /// - Parameters:
    ///   - hfRepo: The repository, `owner/name`.
    ///   - hfFilename: The path of the file in it.
    ///   - revision: A branch, tag or commit.
    ///   - endpoint: The server.
    /// - Returns: The address, or nil when the parts are not those of a file.
    public static func huggingFaceResolveURL(
        hfRepo: String, hfFilename: String, revision: String = "main", endpoint: URL = HuggingFaceEndpoint.standard
    ) -> URL? {
        guard let path = RepositoryPath(hfFilename) else { return nil }
        return HuggingFaceFileAddress(endpoint: endpoint, repo: hfRepo, revision: revision, path: path).url
    }

    /// The unfinished downloads in a models folder, sorted by name.
    ///
    /// Files of a model that are complete and wait for others, or to be installed, are among them.
    ///
    /// - Parameter root: The models folder.
    /// - Returns: The downloads; none if there is no such folder.
    public static func listPartials(in root: URL) -> [PartialDownload] {
        PartialCatalog(fileSystem: LocalFileSystem()).list(in: root)
    }

    /// Deletes what an unfinished download has stored; that nothing is there any more is no error.
    ///
    /// - Parameter partial: An element of ``listPartials(in:)``.
    /// - Throws: ``ModelDownloaderError/fileSystem(_:)``, also when the download is going on.
    public static func deletePartial(_ partial: PartialDownload) throws {
        try PartialCatalog(fileSystem: LocalFileSystem()).delete(partial)
    }
}

extension ModelDownloader {
    /// Downloads a model and installs it under the model's lock.
    ///
    /// Of several callers, in this process or others, one downloads; those who waited find the model installed. If the
    /// process ends before `install` has returned, the next call fetches nothing again.
    ///
    /// - Parameters:
    ///   - resolution: The files.
    ///   - root: The models folder.
    ///   - token: An access token for the reference's endpoint.
    ///   - configuration: How to use the network.
    ///   - onProgress: Gets the progress of all files together, four times a second at most, on any thread.
    ///   - findInstalled: Looks for the model in the library as it is now; when it finds it, nothing is transferred.
    ///   - findMissing: Asked next, for those of the files that are to be transferred; nil for all of them.
    ///   - install: Moves the files away and makes a model of them, or a part of one.
    /// - Returns: What `findInstalled` or `install` returned.
    /// - Throws: ``ModelDownloaderError``, `CancellationError`, or what a closure threw.
    package static func install<Installed: Sendable>(
        _ resolution: HuggingFaceResolution, root: URL, token: String? = nil,
        configuration: ModelDownloadConfiguration = ModelDownloadConfiguration(),
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in },
        findInstalled: @Sendable () async throws -> Installed?,
        findMissing: @Sendable () async throws -> HuggingFaceResolution? = { nil },
        install: @Sendable (HuggingFaceModelDownloadResult) async throws -> Installed
    ) async throws -> Installed {
        try await DownloadEngine.live.install(
            resolution, root: root, token: token, configuration: configuration, onProgress: onProgress,
            findInstalled: findInstalled, findMissing: findMissing, install: install)
    }
}
