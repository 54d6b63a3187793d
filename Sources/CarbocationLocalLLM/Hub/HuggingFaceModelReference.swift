public import Foundation

/// A model in a Hub repository, as a person names it: a repository with an optional quantisation, file or folder.
///
/// A reference promises nothing: ``HuggingFaceModelResolver`` finds out what it stands for.
public struct HuggingFaceModelReference: Codable, Sendable, Hashable {
    /// The repository, `owner/name`.
    public var repo: String

    /// The wanted quantisation in upper case, such as `Q4_K_M`; nil leaves the choice to the resolver.
    public var quantization: String?

    /// The path of one file in the repository.
    public var file: String?

    /// The path of a folder in the repository to which the choice is limited.
    public var directory: String?

    /// A branch, tag, pull request (`refs/pr/1`) or commit.
    public var revision: String

    /// The server that holds the repository.
    public var endpoint: URL

    /// Creates a reference; nothing is checked until it is resolved.
    public init(
        repo: String, quantization: String? = nil, file: String? = nil, directory: String? = nil,
        revision: String = "main", endpoint: URL = HuggingFaceEndpoint.standard
    ) {
        self.repo = repo
        self.quantization = quantization
        self.file = file
        self.directory = directory
        self.revision = revision
        self.endpoint = endpoint
    }

    /// Reads a reference; an absent revision means `main`, an absent endpoint the standard one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        repo = try container.decode(String.self, forKey: .repo)
        quantization = try container.decodeIfPresent(String.self, forKey: .quantization)
        file = try container.decodeIfPresent(String.self, forKey: .file)
        directory = try container.decodeIfPresent(String.self, forKey: .directory)
        revision = try container.decodeIfPresent(String.self, forKey: .revision) ?? "main"
        endpoint = try container.decodeIfPresent(URL.self, forKey: .endpoint) ?? HuggingFaceEndpoint.standard
    }
}
