/// The refs of a repository as the Hub lists them.
struct HuggingFaceRefs: Decodable {
    struct Ref: Decodable {
        var name: String
        var ref: String
        var targetCommit: String
    }

    private var branches: [Ref]
    private var tags: [Ref]
    private var converts: [Ref]
    private var pullRequests: [Ref]

    private enum CodingKeys: String, CodingKey {
        case branches, tags, converts, pullRequests
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        branches = try container.decodeIfPresent([Ref].self, forKey: .branches) ?? []
        tags = try container.decodeIfPresent([Ref].self, forKey: .tags) ?? []
        converts = try container.decodeIfPresent([Ref].self, forKey: .converts) ?? []
        pullRequests = try container.decodeIfPresent([Ref].self, forKey: .pullRequests) ?? []
    }

    /// The commit of exactly this branch or tag, or of exactly this full ref.
    func commit(of revision: String) throws -> String? {
        let match =
            branches.first { $0.name == revision } ?? tags.first { $0.name == revision }
            ?? (branches + tags + converts + pullRequests).first { $0.ref == revision }
        guard let match else { return nil }
        guard HuggingFaceRepository.isCommit(match.targetCommit) else {
            throw HuggingFaceModelResolverError.malformedResponse("a ref names no commit")
        }
        return match.targetCommit
    }
}
