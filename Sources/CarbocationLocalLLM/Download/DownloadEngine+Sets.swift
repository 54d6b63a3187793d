import Foundation

extension DownloadEngine {
    /// Downloads the model that a reference stands for.
    func download(
        _ reference: HuggingFaceModelReference, root: URL, token: String?, configuration: ModelDownloadConfiguration,
        onProgress: @escaping OnProgress
    ) async throws -> HuggingFaceModelDownloadResult {
        let resolver = HuggingFaceModelResolver(httpClient: resolverClient)
        let resolution = try await resolver.resolve(reference, token: token)
        return try await download(
            resolution, root: root, token: token, configuration: configuration, onProgress: onProgress)
    }

    /// Downloads the files of a model.
    func download(
        _ resolution: HuggingFaceResolution, root: URL, token: String?, configuration: ModelDownloadConfiguration,
        onProgress: @escaping OnProgress
    ) async throws -> HuggingFaceModelDownloadResult {
        let set = try DownloadSet(resolution, token: token)
        let work = SetTransfer(engine: self, model: set, root: root, configuration: configuration)
        let name = "set \(PartialFiles.folder(in: root).path) \(set.id)"
        return try await transfers.run(name, onProgress: onProgress) { report in
            try await Self.explainingFailures {
                let locks = try await work.acquireLocks()
                defer { locks.release() }
                return set.result(try await work.run(locks, report))
            }
        }
    }

    /// Downloads the files of a model and installs it, in one turn for all who want this model.
    func install<Installed: Sendable>(
        _ resolution: HuggingFaceResolution, root: URL, token: String?, configuration: ModelDownloadConfiguration,
        onProgress: @escaping OnProgress, findInstalled: @Sendable () async throws -> Installed?,
        findMissing: @Sendable () async throws -> HuggingFaceResolution? = { nil },
        install: @Sendable (HuggingFaceModelDownloadResult) async throws -> Installed
    ) async throws -> Installed {
        let set = try DownloadSet(resolution, token: token)
        let work = SetTransfer(engine: self, model: set, root: root, configuration: configuration)
        return try await Self.explainingFailures {
            let locks = try await work.acquireLocks()
            defer { locks.release() }
            if let installed = try await findInstalled() {
                work.removeFiles()
                return installed
            }
            let missing = try await findMissing().map { try work.part($0, token: token) } ?? work
            let finished = try await missing.run(locks, onProgress)
            let installed = try await install(missing.model.result(try missing.handOver(finished)))
            work.removeFiles()
            return installed
        }
    }
}
