import Foundation

/// The files of one model, which are downloaded one after another.
struct DownloadSet: Sendable {
    let resolution: HuggingFaceResolution
    let id: String
    let items: [DownloadItem]

    /// Creates a set.
    ///
    /// - Throws: ``ModelDownloaderError/badURL(_:)`` for a resolution without files, with an address or path that is
    ///   not safe, or with the same one twice.
    init(_ resolution: HuggingFaceResolution, token: String?) throws {
        let urls = resolution.artifacts.map(\.url)
        guard !urls.isEmpty, Set(urls).count == urls.count else {
            throw ModelDownloaderError.badURL(resolution.reference.repo)
        }
        for artifact in resolution.artifacts {
            guard HTTPOrigin(artifact.url) != nil, artifact.url.user == nil else {
                throw ModelDownloaderError.badURL(DownloadFailure.shown(artifact.url))
            }
            guard RepositoryPath(artifact.path) != nil else { throw ModelDownloaderError.badURL(artifact.path) }
        }
        let id = PartialFiles.key(of: urls.map(\.absoluteString).joined(separator: "\n"))
        self.id = id
        self.resolution = resolution
        items = resolution.artifacts.map { Self.item($0, of: resolution, id: id, token: token) }
    }

    private static func item(
        _ artifact: HuggingFaceResolvedArtifact, of resolution: HuggingFaceResolution, id: String, token: String?
    ) -> DownloadItem {
        // The token was given for the endpoint, not for whatever address a resolution may hold.
        let isAtEndpoint = HTTPOrigin(artifact.url) == HTTPOrigin(resolution.reference.endpoint)
        return DownloadItem(
            url: artifact.url, displayName: ModelFileName.stem(artifact.path),
            token: isAtEndpoint ? BearerToken(token, for: artifact.url) : nil,
            expectedSHA256: DownloadEngine.expected(artifact.sha256),
            expectedBytes: artifact.sizeBytes > 0 ? artifact.sizeBytes : nil,
            membership: DownloadItem.Membership(resolution: resolution, setID: id, artifact: artifact))
    }

    /// The files that are locked as long as the set is worked on: the model's first, which stands for all its parts,
    /// and the projector, which other sets may share.
    ///
    /// Always in the same order, so that sets never wait in a circle.
    func lockedFiles(in root: URL) -> [PartialFiles] {
        let shared = items.filter { $0.membership?.artifact.role == .mmproj }.map(\.url)
        let urls = [resolution.primaryArtifact.url] + shared
        return Set(urls.map { PartialFiles(root: root, source: $0) }).sorted { $0.key < $1.key }
    }

    /// What was asked for, from the files that have arrived.
    func result(_ finished: [FinishedFile]) -> HuggingFaceModelDownloadResult {
        let primary = resolution.primaryArtifact.url
        let artifacts = zip(resolution.artifacts, finished).map { artifact, file in
            ModelLibraryInstallArtifact(
                sourceURL: file.url, role: InstalledModelArtifactRole(artifact.role), relativePath: artifact.path,
                sizeBytes: file.size, sha256: file.sha256)
        }
        return HuggingFaceModelDownloadResult(
            resolution: resolution, artifacts: artifacts,
            sizeBytes: finished.reduce(0) { $0.addingSaturated($1.size) },
            primarySHA256: zip(items, finished).first { $0.0.url == primary }?.1.sha256 ?? "")
    }
}

extension InstalledModelArtifactRole {
    init(_ role: HuggingFaceArtifactRole) {
        self =
            switch role {
            case .primaryModel: .primaryModel
            case .splitModel: .splitModel
            case .mmproj: .mmproj
            }
    }
}
