import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@Suite("HubServer", .timeLimit(.minutes(10)))
struct HubServerTests {
    private static let commit = String(repeating: "c0ffee00", count: 5)
    private static let weights = ServerContent.gguf(seed: 1, count: 5000)

    private let hub: HubServer

    init() throws {
        var repository = HubRepository(
            "org/model",
            files: [
                HubFile("README.md", ServerContent("# Model"), isLarge: false),
                HubFile("q/m-Q4_K_M.gguf", Self.weights),
                HubFile("q/m-Q8_0.gguf", .gguf(seed: 2, count: 6000)),
            ])
        repository.tags = [("v1", "1111111111111111111111111111111111111111")]
        repository.pullRequests = [(7, "2222222222222222222222222222222222222222")]
        repository.otherCommits["2222222222222222222222222222222222222222"] = [HubFile("only.gguf", Self.weights)]
        hub = try HubServer([repository], pageSize: 2)
    }

    private func get(_ path: String, token: String? = nil, method: String = "GET") async throws -> HTTPResponse {
        var request = HTTPRequest(method: method, url: hub.hub.url(path))
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        return try await HTTPClient().data(for: request, limit: 1 << 20)
    }

    private func json(_ path: String) async throws -> Any {
        try JSONSerialization.jsonObject(with: try await get(path).body)
    }

    @Test("HF-4: refs, pull requests only when asked for")
    func refs() async throws {
        let refs = try #require(
            try await json("/api/models/org/model/refs?include_prs=1") as? [String: [[String: String]]])
        #expect(refs["branches"] == [["name": "main", "ref": "refs/heads/main", "targetCommit": Self.commit]])
        #expect(refs["tags"]?.first?["ref"] == "refs/tags/v1")
        #expect(refs["pullRequests"]?.first?["ref"] == "refs/pr/7")
        let plain = try #require(try await json("/api/models/org/model/refs") as? [String: Any])
        #expect(plain["pullRequests"] == nil)
    }

    @Test("HF-5: the list of files in pages, with folders among them")
    func tree() async throws {
        var url = hub.hub.url("/api/models/org/model/tree/\(Self.commit)?recursive=true")
        var entries: [[String: Any]] = []
        var pages = 0
        while true {
            let response = try await HTTPClient().data(for: HTTPRequest(url: url), limit: 1 << 20)
            entries += try #require(try JSONSerialization.jsonObject(with: response.body) as? [[String: Any]])
            pages += 1
            guard let next = LinkHeader(response.head.headers).target("next", relativeTo: url) else { break }
            url = next
        }
        #expect(pages == 2)
        #expect(entries.map { $0["path"] as? String } == ["README.md", "q", "q/m-Q4_K_M.gguf", "q/m-Q8_0.gguf"])
        #expect(entries.map { $0["type"] as? String } == ["file", "directory", "file", "file"])
        let large = try #require(entries[2]["lfs"] as? [String: Any])
        #expect(large["oid"] as? String == Self.weights.sha256)
        #expect(large["size"] as? Int == 5000)
        #expect(entries[0]["lfs"] == nil)
    }

    @Test("a large file redirects to the storage, with its hash and size on the way")
    func largeFile() async throws {
        let response = try await get("/org/model/resolve/main/q/m-Q4_K_M.gguf")
        #expect(Array(response.body) == Self.weights.bytes)
        let redirect = try #require(response.destination.redirects.first?.head)
        #expect(redirect.status == 302)
        #expect(redirect.headers["X-Linked-ETag"] == "\"\(Self.weights.sha256)\"")
        #expect(redirect.headers["X-Linked-Size"] == "5000")
        #expect(redirect.headers["X-Repo-Commit"] == Self.commit)
        #expect(response.destination.url.port == Int(hub.storage.port))
        #expect(hub.storage.requests.count == 1)
    }

    @Test("a small file stays with the hub")
    func smallFile() async throws {
        let response = try await get("/org/model/resolve/\(Self.commit)/README.md")
        #expect(String(decoding: response.body, as: UTF8.self) == "# Model")
        #expect(response.destination.redirects.map(\.head.status) == [307])
        #expect(hub.storage.requests.isEmpty)
    }

    @Test(
        "revisions by branch, commit and encoded ref", arguments: ["refs%2Fpr%2F7", String(repeating: "2", count: 40)])
    func revisions(revision: String) async throws {
        #expect(try await get("/org/model/resolve/\(revision)/only.gguf").head.status == 200)
        #expect(
            try await get("/org/model/resolve/\(revision)/README.md").head.headers["X-Error-Code"] == "EntryNotFound")
    }

    @Test(
        "unknown repositories, revisions and files",
        arguments: [
            ("/api/models/org/none/refs", "t", 404, "RepoNotFound"),
            ("/api/models/org/none/refs", nil, 401, "RepoNotFound"),
            ("/org/model/resolve/mian/README.md", nil, 404, "RevisionNotFound"),
            ("/org/model/resolve/main/none.gguf", nil, 404, "EntryNotFound"),
        ])
    func missing(path: String, token: String?, status: Int, code: String) async throws {
        let response = try await get(path, token: token)
        #expect(response.head.status == status)
        #expect(response.head.headers["X-Error-Code"] == code)
    }

    @Test(
        "HF-6: who may read what",
        arguments: [
            (HubRepository.Access.gated(accepted: ["good"], valid: ["other"]), nil as String?, 401),
            (.gated(accepted: ["good"], valid: ["other"]), "bad", 401),
            (.gated(accepted: ["good"], valid: ["other"]), "other", 403),
            (.gated(accepted: ["good"], valid: ["other"]), "good", 200),
            (.hidden(accepted: ["good"]), nil, 401), (.hidden(accepted: ["good"]), "bad", 404),
            (.hidden(accepted: ["good"]), "good", 200),
        ])
    func access(access: HubRepository.Access, token: String?, status: Int) async throws {
        hub.update("org/model") { $0.access = access }
        #expect(try await get("/org/model/resolve/main/q/m-Q4_K_M.gguf", token: token).head.status == status)
    }

    @Test("the storage refuses requests with credentials, as real storage does")
    func storageCredentials() async throws {
        let destination = try await get("/org/model/resolve/main/q/m-Q4_K_M.gguf").destination
        let request = HTTPRequest(url: destination.url, headers: ["Authorization": "Bearer x"])
        #expect(try await HTTPClient().data(for: request, limit: 10_000).head.status == 400)
    }

    @Test("HEAD is answered as GET, without a body")
    func head() async throws {
        let response = try await get("/org/model/resolve/main/q/m-Q4_K_M.gguf", method: "HEAD")
        #expect(response.head.headers["Content-Length"] == "5000")
        #expect(response.body.isEmpty)
    }
}
