/// A model repository of the test hub.
public struct HubRepository: Sendable {
    /// `owner/name`.
    public var id: String

    /// The commit that everything resolves to, 40 hexadecimal digits.
    public var commit: String

    /// The files by path, listed in this order.
    public var files: [HubFile]

    /// Branches and the commits that they are at.
    public var branches: [(name: String, commit: String)]

    /// Tags and the commits that they are at.
    public var tags: [(name: String, commit: String)] = []

    /// Numbers of pull requests and the commits that they are at; the hub lists them only when asked to.
    public var pullRequests: [(number: Int, commit: String)] = []

    /// Refs below `refs/convert/` and the commits that they are at.
    public var converts: [(name: String, commit: String)] = []

    /// Further commits that have files of their own.
    public var otherCommits: [String: [HubFile]] = [:]

    /// Who may read it.
    public var access = Access.open

    /// Makes a repository with a branch `main`.
    public init(_ id: String, commit: String = String(repeating: "c0ffee00", count: 5), files: [HubFile] = []) {
        self.id = id
        self.commit = commit
        self.files = files
        branches = [("main", commit)]
    }

    /// Who may read a repository.
    public enum Access: Sendable, Hashable {
        /// Everybody.
        case open

        /// Bearers of one of the accepted tokens. A valid token that is not accepted gets 403, anything else 401.
        case gated(accepted: Set<String>, valid: Set<String> = [])

        /// Bearers of one of the tokens; to all others it does not seem to exist.
        case hidden(accepted: Set<String>)
    }

    func files(at revision: String) -> (commit: String, files: [HubFile])? {
        let named = branches + tags + converts.map { ("refs/convert/\($0.name)", $0.commit) }
        let pulls = pullRequests.map { (name: "refs/pr/\($0.number)", commit: $0.commit) }
        let commit = (named + pulls).first { $0.name == revision }?.commit ?? revision
        if commit == self.commit { return (commit, files) }
        return otherCommits[commit].map { (commit, $0) }
    }
}

/// A file of a repository.
public struct HubFile: Sendable {
    /// The path, with `/`.
    public var path: String

    /// The bytes.
    public var content: ServerContent

    /// Whether the file is kept in large-file storage, so that it comes from the other server.
    public var isLarge: Bool

    /// The SHA-256 that the hub claims for a large file.
    public var sha256: String

    /// Makes a file; a large one is hashed at once.
    public init(_ path: String, _ content: ServerContent, isLarge: Bool = true, sha256: String? = nil) {
        self.path = path
        self.content = content
        self.isLarge = isLarge
        self.sha256 = sha256 ?? content.sha256
    }

    /// The object id that git would know the file by; made up, but the same for the same content.
    public var gitObjectID: String { String(sha256.suffix(40)) }
}
