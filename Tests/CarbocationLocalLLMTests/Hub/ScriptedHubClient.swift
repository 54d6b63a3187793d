import CarbocationLocalLLM
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers the resolver's requests from a table of paths, and keeps what was asked.
final class ScriptedHubClient: HuggingFaceModelResolverHTTPClient {
    struct Answer: Sendable {
        var status = 200
        var body = ""
        var headers: [String: String] = [:]
    }

    private let answers: [String: Answer]
    private let asked = Locked<[URLRequest]>([])

    /// Creates a client.
    ///
    /// - Parameter answers: By path and query; everything else is answered with 404.
    init(_ answers: [String: Answer]) {
        self.answers = answers
    }

    var requests: [URLRequest] { asked.withLock { $0 } }
    var targets: [String] { requests.compactMap { $0.url.map(Self.target) } }

    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        asked.withLock { $0.append(request) }
        guard let url = request.url else { throw URLError(.badURL) }
        let answer = answers[Self.target(url)] ?? Answer(status: 404)
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
        else { throw URLError(.badServerResponse) }
        return (Data(answer.body.utf8), head)
    }

    private static func target(_ url: URL) -> String {
        url.path(percentEncoded: true) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    }
}

/// Sends the same page of files again and again, each time under another address.
final class EndlessHubClient: HuggingFaceModelResolverHTTPClient {
    private let page: String
    private let count = Locked(0)

    init(page: String) {
        self.page = page
    }

    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let headers = ["Link": "<?cursor=\(number)>; rel=\"next\""]
        guard let url = request.url,
            let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers)
        else { throw URLError(.badURL) }
        return (Data(page.utf8), head)
    }
}

/// Builds the lists of a hub.
enum HubJSON {
    static let commit = String(repeating: "c", count: 40)

    static func refs(branches: [String: String] = ["main": commit], more: String = "") -> String {
        let list = branches.sorted { $0.key < $1.key }.map { name, commit in
            #"{"name":"\#(name)","ref":"refs/heads/\#(name)","targetCommit":"\#(commit)"}"#
        }
        return #"{"branches":[\#(list.joined(separator: ","))]\#(more)}"#
    }

    static func tree(_ files: [(path: String, size: Int64)]) -> String {
        "[" + files.map { #"{"type":"file","path":"\#($0.path)","size":\#($0.size)}"# }.joined(separator: ",") + "]"
    }

    /// A client for one repository with one page of files.
    static func client(_ tree: String, repo: String = "org/model", refs: String = refs()) -> ScriptedHubClient {
        ScriptedHubClient([
            "/api/models/\(repo)/refs?include_prs=1": .init(body: refs),
            "/api/models/\(repo)/tree/\(commit)?recursive=true": .init(body: tree),
        ])
    }
}
