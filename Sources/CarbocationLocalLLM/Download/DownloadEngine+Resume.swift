import Foundation
import GGUFFormat

extension DownloadEngine {
    /// Goes on with a download that an earlier call has begun, and with the other files of its model.
    func resume(
        _ partial: PartialDownload, root: URL, token: String?, configuration: ModelDownloadConfiguration,
        onProgress: @escaping OnProgress
    ) async throws -> ModelDownloadResumeResult {
        let files = PartialFiles(root: root, source: partial.sourceURL)
        let sidecar = try await Self.explainingFailures {
            try PartialStore(files: files, fileSystem: environment.fileSystem).sidecar()
        }
        let known = sidecar.flatMap { $0.url == partial.sourceURL ? $0 : nil } ?? Self.sidecar(of: partial)
        if let resolution = known.resolution, resolution.artifacts.contains(where: { $0.url == known.url }) {
            return .model(
                try await download(
                    resolution, root: root, token: token, configuration: configuration, onProgress: onProgress))
        }
        if let alone = Self.resolutionOfOne(known) {
            return .model(
                try await resume(alone, root: root, token: token, configuration: configuration, onProgress: onProgress))
        }
        return .file(
            try await download(
                from: known.url, root: root, displayName: known.displayName, expectedSHA256: nil, token: token,
                configuration: configuration, onProgress: onProgress))
    }

    /// Finishes the file that is known, and only then looks for the other parts of its model at the same commit.
    private func resume(
        _ alone: HuggingFaceResolution, root: URL, token: String?, configuration: ModelDownloadConfiguration,
        onProgress: @escaping OnProgress
    ) async throws -> HuggingFaceModelDownloadResult {
        let result = try await download(
            alone, root: root, token: token, configuration: configuration, onProgress: onProgress)
        guard GGUFSplitName(alone.primaryArtifact.path) != nil else { return result }
        var reference = alone.reference
        reference.file = alone.primaryArtifact.path
        reference.revision = alone.commit
        let resolver = HuggingFaceModelResolver(httpClient: resolverClient)
        let whole = try await resolver.resolve(reference, token: token)
        return try await download(
            whole, root: root, token: token, configuration: configuration, onProgress: onProgress)
    }

    /// The model of a sidecar that does not list its other files; nil for a plain address.
    private static func resolutionOfOne(_ sidecar: DownloadSidecar) -> HuggingFaceResolution? {
        guard let repo = sidecar.repo, let path = sidecar.path, let commit = sidecar.commit ?? sidecar.revision else {
            return nil
        }
        let reference = HuggingFaceModelReference(
            repo: repo, file: path, revision: sidecar.revision ?? commit, endpoint: sidecar.endpoint)
        let artifact = HuggingFaceResolvedArtifact(
            role: .primaryModel, path: path, url: sidecar.url, sizeBytes: sidecar.totalBytes, sha256: sidecar.sha256)
        return HuggingFaceResolution(
            reference: reference, commit: commit, artifacts: [artifact],
            quantization: GGUFQuantization.name(fileName: path), displayName: ModelFileName.stem(path))
    }

    /// What is known of a download whose sidecar is gone.
    private static func sidecar(of partial: PartialDownload) -> DownloadSidecar {
        var sidecar = DownloadSidecar(url: partial.sourceURL)
        sidecar.displayName = partial.displayName
        sidecar.repo = partial.reference?.repo
        sidecar.revision = partial.reference?.revision
        sidecar.path = partial.artifactPath
        return sidecar
    }
}

extension DownloadSidecar {
    /// The server that the file comes from.
    var endpoint: URL {
        guard let repo, let end = url.absoluteString.range(of: "/\(repo)/resolve/") else {
            return HuggingFaceEndpoint.standard
        }
        return URL(string: String(url.absoluteString[..<end.lowerBound])) ?? HuggingFaceEndpoint.standard
    }
}
