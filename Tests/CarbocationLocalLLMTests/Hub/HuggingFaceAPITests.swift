import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests to the Hub")
struct HuggingFaceAPITests {
    private static let tree = "/api/models/org/model/tree/\(HubJSON.commit)?recursive=true"
    private let reference = HuggingFaceModelReference(repo: "org/model", revision: HubJSON.commit)

    private func resolve(
        _ client: ScriptedHubClient, endpoint: URL = HuggingFaceEndpoint.standard, token: String? = nil
    ) async throws -> HuggingFaceResolution {
        try await HuggingFaceModelResolver(endpoint: endpoint, httpClient: client).resolve(reference, token: token)
    }

    @Test(
        "HF-5: all pages are read, links may be relative",
        arguments: ["https://huggingface.co\(tree)&cursor=2", "\(tree)&cursor=2", "?recursive=true&cursor=2"])
    func pages(link: String) async throws {
        let client = ScriptedHubClient([
            Self.tree: .init(
                body: HubJSON.tree([("m-Q8_0.gguf", 1)]), headers: ["link": "<\(link)>; rel=\"next\""]),
            "\(Self.tree)&cursor=2": .init(body: HubJSON.tree([("m-Q4_K_M.gguf", 2)])),
        ])
        #expect(try await resolve(client).primaryArtifact.path == "m-Q4_K_M.gguf")
        #expect(client.requests.count == 2)
    }

    @Test(
        "HF-5: a list that goes on elsewhere, or for ever, is refused",
        arguments: [
            "https://evil.example\(tree)&cursor=2", "http://huggingface.co\(tree)&cursor=2",
            "https://huggingface.co:8443\(tree)&cursor=2", "https://huggingface.co\(tree)",
        ])
    func foreignPages(link: String) async throws {
        let client = ScriptedHubClient([
            Self.tree: .init(
                body: HubJSON.tree([("m-Q8_0.gguf", 1)]), headers: ["Link": "<\(link)>; rel=\"next\""])
        ])
        await #expect(throws: HuggingFaceModelResolverError.self) { try await resolve(client, token: "hf_secret") }
        #expect(client.requests.count == 1)
    }

    @Test(
        "HF-6, D20: refusals",
        arguments: [
            (401, .unauthorized("org/model")), (403, .gated("org/model")), (404, .notFound("org/model")),
            (429, .httpStatus(429)), (500, .httpStatus(500)), (301, .httpStatus(301)),
        ] as [(Int, HuggingFaceModelResolverError)])
    func statuses(status: Int, error: HuggingFaceModelResolverError) async throws {
        let client = ScriptedHubClient([Self.tree: .init(status: status, body: "<!DOCTYPE html>")])
        await #expect(throws: error) { try await resolve(client) }
    }

    @Test(
        "HF-6: answers that cannot be read",
        arguments: [
            "", "<!DOCTYPE html>", "{}", "[1]", #"[{"type":"file"}]"#, #"[{"type":"file","path":"m.gguf","size":"x"}]"#,
            #"[{"type":"file","path":"m.gguf","size":1e30}]"#, String(repeating: "[", count: 100_000),
        ])
    func malformed(body: String) async throws {
        let client = ScriptedHubClient([Self.tree: .init(body: body)])
        await #expect {
            try await resolve(client)
        } throws: { error in
            guard case HuggingFaceModelResolverError.malformedResponse = error else { return false }
            return true
        }
    }

    @Test("HF-5: hostile sizes neither overflow nor count")
    func sizes() async throws {
        let client = ScriptedHubClient([
            Self.tree: .init(
                body: HubJSON.tree([
                    ("m-00001-of-00002.gguf", Int64.max), ("m-00002-of-00002.gguf", Int64.max), ("bad.gguf", -1),
                ]))
        ])
        let resolution = try await resolve(client)
        #expect(resolution.totalSizeBytes == Int64.max)
        #expect(resolution.artifacts.count == 2)
    }

    @Test(
        "HF-6: the token goes over https or to this machine only, and never when it is no header value",
        arguments: [
            ("https://hub.example", "t", true), ("http://127.0.0.1:8080", "t", true), ("http://localhost:1", "t", true),
            ("http://[::1]:8080", "t", true), ("http://hub.example", "t", false),
            ("http://127.0.0.1.evil.example", "t", false), ("https://hub.example", "  ", false),
            ("https://hub.example", "a\r\nX-Evil: b", false), ("https://hub.example", "tökén", false),
        ])
    func token(endpoint: String, token: String, isSent: Bool) async throws {
        let client = ScriptedHubClient([Self.tree: .init(body: HubJSON.tree([("m.gguf", 1)]))])
        _ = try await resolve(client, endpoint: try #require(URL(string: endpoint)), token: token)
        let header = client.requests.first?.value(forHTTPHeaderField: "Authorization")
        #expect(header == (isSent ? "Bearer t" : nil))
    }

    @Test("HF-6: over a real connection the same origin's redirects are followed, others are not")
    func redirects() async throws {
        let other = try HTTPTestServer { _ in .json("[]") }
        let server = try HTTPTestServer { request in
            switch request.path {
            case "/away": .redirect(other.url("/x").absoluteString)
            case "/here": .redirect("/there")
            default: .json(#"{"ok":true}"#)
            }
        }
        let client = HuggingFaceHTTPClient()
        var request = URLRequest(url: server.url("/here"))
        request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        let (data, head) = try await client.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == #"{"ok":true}"#)
        #expect(head.statusCode == 200)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer t", "Bearer t"])
        request.url = server.url("/away")
        await #expect(throws: HuggingFaceModelResolverError.self) { try await client.data(for: request) }
        #expect(other.requests.isEmpty)
    }

    @Test("an answer of any size does not fill the memory")
    func tooLarge() async throws {
        let server = try HTTPTestServer { _ in ServerReply(body: .pattern(seed: 1, count: 100 << 20)) }
        await #expect(throws: HTTPTransportError.bodyTooLarge) {
            try await HuggingFaceHTTPClient().data(for: URLRequest(url: server.url("/")))
        }
    }

    @Test("a list of files without end is cut off", .timeLimit(.minutes(10)))
    func endless() async throws {
        let files = (0..<5000).map { "m\($0).gguf" }
        let client = EndlessHubClient(page: HubJSON.tree(files.map { ($0, 1) }))
        let resolver = HuggingFaceModelResolver(endpoint: HuggingFaceEndpoint.standard, httpClient: client)
        await #expect(throws: HuggingFaceModelResolverError.malformedResponse("the file list has no end")) {
            try await resolver.resolve(reference)
        }
    }

    @Test("D19: what is no http address is refused before anything is sent")
    func otherScheme() async throws {
        let request = URLRequest(url: try #require(URL(string: "file:///etc/passwd")))
        await #expect(throws: HuggingFaceModelResolverError.self) {
            try await HuggingFaceHTTPClient().data(for: request)
        }
    }
}
