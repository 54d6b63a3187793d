package import Foundation

/// Where the Hub serves a file of a repository.
package struct HuggingFaceFileAddress: Sendable, Hashable {
    package var endpoint: URL
    package var repo: String
    package var revision: String
    package var path: RepositoryPath

    package init(endpoint: URL, repo: String, revision: String, path: RepositoryPath) {
        self.endpoint = endpoint
        self.repo = repo
        self.revision = revision
        self.path = path
    }

    /// The address, or nil when the parts do not make one.
    package var url: URL? {
        guard HuggingFaceRepository.isValid(repo), let endpoint = HuggingFaceEndpoint.url(endpoint.absoluteString),
            let revision = RepositoryPath(revision)
        else { return nil }
        let name = revision.percentEncoded.replacingOccurrences(of: "/", with: "%2F")
        return URL(string: "\(endpoint.absoluteString)/\(repo)/resolve/\(name)/\(path.percentEncoded)")
    }
}
