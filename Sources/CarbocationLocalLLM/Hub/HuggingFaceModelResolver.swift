public import Foundation
import GGUFFormat

/// Finds out which files a reference stands for, at which commit, of which size.
///
/// ```swift
/// let reference = HuggingFaceModelReference(repo: "owner/repo-GGUF", quantization: "Q4_K_M")
/// let resolution = try await HuggingFaceModelResolver().resolve(reference)
/// ```
public struct HuggingFaceModelResolver: Sendable {
    private let endpoint: URL
    private let httpClient: any HuggingFaceModelResolverHTTPClient

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - endpoint: The server to ask. A reference to another endpoint is resolved there all the same.
    ///   - httpClient: What sends the requests.
    public init(
        endpoint: URL = HuggingFaceEndpoint.current(),
        httpClient: any HuggingFaceModelResolverHTTPClient = HuggingFaceHTTPClient()
    ) {
        self.endpoint = endpoint
        self.httpClient = httpClient
    }

    /// Lists the repository at the reference's revision and chooses the files of one model.
    ///
    /// Without a file or quantisation the choice is Q4_K_M, then Q8_0, then the first model by path. A revision that is
    /// no commit costs one request more.
    ///
    /// - Parameters:
    ///   - reference: What to look for.
    ///   - token: An access token. It goes to the endpoint only, and only over https or to this machine.
    ///   - includesProjector: Whether to add the projector that belongs to the model, if there is one.
    /// - Returns: The files, pinned to a commit.
    /// - Throws: ``HuggingFaceModelResolverError``, what the client threw, or `CancellationError`.
    public func resolve(
        _ reference: HuggingFaceModelReference, token: String? = nil, includesProjector: Bool = false
    ) async throws -> HuggingFaceResolution {
        guard HuggingFaceRepository.isValid(reference.repo) else {
            throw HuggingFaceModelResolverError.invalidRepository(reference.repo)
        }
        let server = try server(for: reference)
        let api = HuggingFaceAPI(endpoint: server, repo: reference.repo, token: token, httpClient: httpClient)
        let commit = try await commit(of: reference.revision, api: api)
        let selection = ModelFileSelection(reference: reference, files: try await api.files(at: commit))
        var asked = reference
        asked.endpoint = server
        return try selection.resolution(reference: asked, commit: commit, includesProjector: includesProjector)
    }

    /// The endpoint of the resolver, unless the reference asks for another one than the standard.
    private func server(for reference: HuggingFaceModelReference) throws -> URL {
        let wanted = reference.endpoint == HuggingFaceEndpoint.standard ? endpoint : reference.endpoint
        guard let url = HuggingFaceEndpoint.url(wanted.absoluteString) else {
            throw HuggingFaceModelResolverError.invalidURL(wanted.absoluteString)
        }
        return url
    }

    private func commit(of revision: String, api: HuggingFaceAPI) async throws -> String {
        if HuggingFaceRepository.isCommit(revision) { return revision }
        guard let commit = try await api.refs().commit(of: revision) else {
            throw HuggingFaceModelResolverError.unknownRevision(revision)
        }
        return commit
    }
}
