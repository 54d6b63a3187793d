import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks one repository of the Hub for its refs and files.
struct HuggingFaceAPI {
    /// More than any repository has; a server that sends files without end is cut off.
    private static let maximumPages = 2000
    private static let maximumFiles = 500_000

    let endpoint: URL
    let repo: String
    let token: String?
    let httpClient: any HuggingFaceModelResolverHTTPClient

    /// The branches, tags and other refs.
    func refs() async throws -> HuggingFaceRefs {
        try decode(HuggingFaceRefs.self, from: try await get(try url("refs?include_prs=1")).data)
    }

    /// All files at a commit whose paths are safe.
    func files(at commit: String) async throws -> [HuggingFaceTreeFile] {
        var files: [HuggingFaceTreeFile] = []
        var next: URL? = try url("tree/\(commit)?recursive=true")
        var seen: Set<URL> = []
        while let page = next {
            guard seen.insert(page).inserted, seen.count <= Self.maximumPages else {
                throw HuggingFaceModelResolverError.malformedResponse("the pages of the file list have no end")
            }
            let (data, head) = try await get(page)
            guard files.count <= Self.maximumFiles else {
                throw HuggingFaceModelResolverError.malformedResponse("the file list has no end")
            }
            files += try decode([HuggingFaceTreeEntry].self, from: data).compactMap(\.file)
            next = try nextPage(after: page, links: head.value(forHTTPHeaderField: "Link"))
        }
        return files
    }

    private func url(_ suffix: String) throws -> URL {
        let text = "\(endpoint.absoluteString)/api/models/\(repo)/\(suffix)"
        guard let url = URL(string: text) else { throw HuggingFaceModelResolverError.invalidURL(text) }
        return url
    }

    private func nextPage(after page: URL, links: String?) throws -> URL? {
        var headers = HTTPHeaders()
        headers["Link"] = links
        guard let url = LinkHeader(headers).target("next", relativeTo: page) else { return nil }
        guard HTTPOrigin(url) == HTTPOrigin(endpoint) else {
            throw HuggingFaceModelResolverError.malformedResponse("the file list goes on at another server")
        }
        return url
    }

    private func get(_ url: URL) async throws -> (data: Data, head: HTTPURLResponse) {
        var request = URLRequest(url: url)
        request.setValue(PackageUserAgent.value, forHTTPHeaderField: "User-Agent")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let token = BearerToken(token, for: url) {
            request.setValue(token.headerValue, forHTTPHeaderField: "Authorization")
        }
        let (data, head) = try await httpClient.data(for: request)
        switch head.statusCode {
        case 200..<300: return (data, head)
        case 401: throw HuggingFaceModelResolverError.unauthorized(repo)
        case 403: throw HuggingFaceModelResolverError.gated(repo)
        case 404: throw HuggingFaceModelResolverError.notFound(repo)
        default: throw HuggingFaceModelResolverError.httpStatus(head.statusCode)
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw HuggingFaceModelResolverError.malformedResponse("it is not the JSON that was asked for")
        }
    }
}
