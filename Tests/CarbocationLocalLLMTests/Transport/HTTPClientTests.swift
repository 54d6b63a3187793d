import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@Suite("HTTPClient", .timeLimit(.minutes(10)))
struct HTTPClientTests {
    private static let secret = "Bearer hf_secret"

    /// A client whose answers come from a handler, and the transport to see what was asked.
    private static func client(
        _ handler: @escaping HTTPTestServer.Handler
    ) -> (client: HTTPClient, transport: InMemoryTransport) {
        let transport = InMemoryTransport(handler: handler)
        return (HTTPClient(transport: transport), transport)
    }

    private static func request(_ url: String) -> HTTPRequest {
        HTTPRequest(url: url.url, headers: ["Authorization": secret, "Range": "bytes=0-", "User-Agent": "test"])
    }

    /// A handler that sends `/0` on to each location in turn, and answers the rest.
    private static func redirecting(_ locations: String...) -> HTTPTestServer.Handler {
        let queue = Locked(locations)
        return { _ in
            let next = queue.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return next.map { .redirect($0) } ?? .text("arrived")
        }
    }

    @Test(
        "DL-8: locations are resolved against the address that gave them",
        arguments: [
            ("http://b.test/x", "http://b.test/x"), ("/x?y=1", "http://a.test/x?y=1"), ("x", "http://a.test/d/x"),
            ("../x", "http://a.test/x"), ("//b.test/x", "http://b.test/x"), ("?y", "http://a.test/d/start?y"),
            ("  /x\t", "http://a.test/x"), ("/a b", "http://a.test/a%20b"), ("HTTP://B.test/", "HTTP://B.test/"),
        ])
    func resolution(location: String, target: String) async throws {
        let (client, transport) = Self.client(Self.redirecting(location))
        let response = try await client.data(for: Self.request("http://a.test/d/start"), limit: 100)
        #expect(response.destination.url.absoluteString == target)
        #expect(transport.requests.map(\.url.absoluteString) == ["http://a.test/d/start", target])
        #expect(String(decoding: response.body, as: UTF8.self) == "arrived")
    }

    @Test(
        "DL-8: credentials stay with scheme, host and port",
        arguments: [
            (["/1", "/2"], [true, true, true]),
            (["http://A.test:80/1"], [true, true]),
            (["http://b.test/1"], [true, false]),
            (["http://a.test:81/1"], [true, false]),
            (["https://a.test/1"], [true, false]),
            (["http://sub.a.test/1"], [true, false]),
            (["http://a.test./1"], [true, false]),
            (["/1", "http://b.test/2", "http://a.test/3", "/4"], [true, true, false, false, false]),
        ])
    func credentials(locations: [String], carried: [Bool]) async throws {
        let queue = Locked(locations)
        let (client, transport) = Self.client { _ in
            queue.withLock { $0.isEmpty ? nil : $0.removeFirst() }.map { .redirect($0) } ?? .text("arrived")
        }
        _ = try await client.data(for: Self.request("http://a.test/0"), limit: 100)
        #expect(transport.requests.map { $0.headers["Authorization"] == Self.secret } == carried)
        #expect(transport.requests.allSatisfy { $0.headers["Range"] == "bytes=0-" })
        #expect(transport.requests.allSatisfy { $0.headers["User-Agent"] == "test" })
    }

    @Test("D07: over real sockets another origin sees no credentials, the same one does")
    func credentialsOverSockets() async throws {
        let repository = HubRepository(
            "org/model",
            files: [
                HubFile("m.gguf", .gguf(seed: 1, count: 5000)),
                HubFile("config.json", ServerContent("{}"), isLarge: false),
            ])
        let hub = try HubServer([repository])
        for path in ["m.gguf", "config.json"] {
            let request = HTTPRequest(
                url: hub.hub.url("/org/model/resolve/main/\(path)"), headers: ["Authorization": Self.secret])
            let response = try await HTTPClient().data(for: request, limit: 10_000)
            #expect(response.head.status == 200)
        }
        #expect(hub.requests.map { $0.header("Authorization") } == [Self.secret, Self.secret, Self.secret])
        #expect(hub.storage.requests.map { $0.header("Authorization") } == [nil])
        #expect(hub.requests.last?.path.hasPrefix("/api/resolve-cache/") == true)
    }

    @Test(
        "DL-8: redirects that are not followed",
        arguments: [
            ("file:///etc/passwd", HTTPRedirectError.unsupportedScheme("file")),
            ("ftp://a.test/", .unsupportedScheme("ftp")), ("javascript:alert(1)", .unsupportedScheme("javascript")),
            ("http://a.test/x", .insecure("http://a.test/x")), ("https://user:pw@a.test/x", .invalidLocation),
            ("", .invalidLocation), ("https://", .invalidLocation), ("https://[x", .invalidLocation),
            ("https://a.test/0", .loop("https://a.test/0")),
        ])
    func refused(location: String, error: HTTPRedirectError) async throws {
        let (client, transport) = Self.client { _ in .redirect(location) }
        await #expect(throws: error) { _ = try await client.data(for: Self.request("https://a.test/0"), limit: 100) }
        #expect(transport.requests.count == 1)
    }

    @Test("DL-8: https stays https, also when it was entered on the way")
    func encryptionIsKept() async throws {
        let (client, transport) = Self.client(Self.redirecting("https://b.test/", "http://c.test/"))
        await #expect(throws: HTTPRedirectError.insecure("http://c.test/")) {
            _ = try await client.data(for: Self.request("http://a.test/0"), limit: 100)
        }
        #expect(transport.requests.count == 2)
    }

    @Test("DL-8: ten redirects are followed, eleven are not", arguments: [10, 11])
    func count(redirects: Int) async throws {
        let (client, transport) = Self.client { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return number < redirects ? .redirect("/\(number + 1)") : .text("arrived")
        }
        let request = Self.request("http://a.test/0")
        guard redirects > 10 else {
            let response = try await client.data(for: request, limit: 100)
            #expect(response.destination.redirects.map(\.url.path) == (0..<10).map { "/\($0)" })
            return
        }
        await #expect(throws: HTTPRedirectError.tooMany(limit: 10)) {
            _ = try await client.data(for: request, limit: 100)
        }
        #expect(transport.requests.count == 11)
    }

    @Test("a loop of several addresses is noticed before the limit")
    func loop() async throws {
        let (client, transport) = Self.client { $0.path == "/a" ? .redirect("/b") : .redirect("/a") }
        await #expect(throws: HTTPRedirectError.loop("http://a.test/a")) {
            _ = try await client.data(for: Self.request("http://a.test/a"), limit: 100)
        }
        #expect(transport.requests.count == 2)
    }

    @Test(
        "only these statuses redirect, and only with a location", arguments: [300, 301, 302, 303, 304, 305, 307, 308])
    func statuses(status: Int) async throws {
        let (client, _) = Self.client { $0.path == "/0" ? .redirect("/1", status: status) : .text("arrived") }
        let response = try await client.data(for: Self.request("http://a.test/0"), limit: 100)
        #expect(response.head.status == ([300, 304, 305].contains(status) ? status : 200))
        let (placeless, _) = Self.client { _ in ServerReply(status: status, body: ServerContent("no place")) }
        let answer = try await placeless.data(for: Self.request("http://a.test/0"), limit: 100)
        #expect(answer.head.status == status)
        #expect(answer.destination.redirects.isEmpty)
    }

    @Test(
        "303 turns anything but HEAD into GET, 301 and 302 only POST",
        arguments: [
            ("GET", 303, "GET"), ("HEAD", 303, "HEAD"), ("PUT", 303, "GET"), ("POST", 301, "GET"),
            ("POST", 302, "GET"), ("PUT", 302, "PUT"), ("POST", 307, "POST"), ("HEAD", 302, "HEAD"),
        ])
    func methods(method: String, status: Int, next: String) async throws {
        let (client, transport) = Self.client { $0.path == "/0" ? .redirect("/1", status: status) : .text("") }
        var request = Self.request("http://a.test/0")
        request.method = method
        _ = try await client.data(for: request, limit: 100)
        #expect(transport.requests.map(\.method) == [method, next])
    }

    @Test("DL-10: the receiver gets the last response only; redirects are told apart, with their headers")
    func streaming() async throws {
        let (client, _) = Self.client { request in
            guard request.path == "/0" else { return .text("arrived") }
            var reply = ServerReply.redirect("/1")
            reply[header: "X-Linked-ETag"] = "\"abc\""
            reply.body = ServerContent("moved")
            return reply
        }
        let recorder = ResponseRecorder()
        let seen = Locked<[HTTPRedirect]>([])
        let destination = try await client.perform(Self.request("http://a.test/0"), receiver: recorder) { redirect in
            seen.withLock { $0.append(redirect) }
        }
        #expect(recorder.heads.map(\.status) == [200])
        #expect(recorder.text == "arrived")
        #expect(destination.url.path == "/1")
        #expect(destination.redirects == seen.withLock { $0 })
        #expect(destination.redirects.map { $0.head.headers["X-Linked-ETag"] } == ["\"abc\""])
    }

    @Test("what is thrown at a redirect ends the exchange")
    func thrownAtRedirect() async throws {
        let (client, transport) = Self.client { _ in .redirect("/1") }
        await #expect(throws: ResponseRecorder.Stop()) {
            _ = try await client.perform(Self.request("http://a.test/0"), receiver: ResponseRecorder()) { _ in
                throw ResponseRecorder.Stop()
            }
        }
        #expect(transport.requests.count == 1)
    }

    @Test("a redirect counts whatever its body is: endless, cut or larger than allowed")
    func bodiesOfRedirects() async throws {
        let server = try HTTPTestServer { request in
            guard request.path == "/0" else { return .text("arrived") }
            var reply = ServerReply.redirect("/1")
            reply.body = .pattern(seed: 1, count: 500_000_000)
            return reply
        }
        server.faults.inject(.drop(after: 10), into: .path(endingWith: "/0"), skipping: 1, times: 1)
        for _ in 0..<2 {
            var request = HTTPRequest(url: server.url("/0"))
            request.maximumBodyBytes = 100
            #expect(try await HTTPClient().data(for: request, limit: 100).body.count == 7)
        }
    }

    @Test("DL-8: endless redirects and loops end over sockets too")
    func loopsOverSockets() async throws {
        let server = try HTTPTestServer { _ in .text("never") }
        server.faults.inject(.redirectLoop, into: .path(endingWith: "/loop"))
        server.faults.inject(.endlessRedirect, into: .path(endingWith: "/endless"))
        await #expect(throws: HTTPRedirectError.loop(server.url("/loop").absoluteString)) {
            _ = try await HTTPClient().data(for: HTTPRequest(url: server.url("/loop")), limit: 100)
        }
        await #expect(throws: HTTPRedirectError.tooMany(limit: 10)) {
            _ = try await HTTPClient().data(for: HTTPRequest(url: server.url("/endless")), limit: 100)
        }
    }

    @Test("a good answer may be as large as the limit, an error's body is cut there")
    func limits() async throws {
        let (client, _) = Self.client { request in
            .text(String(repeating: "x", count: 5000), status: request.path == "/bad" ? 404 : 200)
        }
        #expect(try await client.data(for: Self.request("http://a.test/"), limit: 5000).body.count == 5000)
        await #expect(throws: HTTPTransportError.bodyTooLarge) {
            _ = try await client.data(for: Self.request("http://a.test/"), limit: 4999)
        }
        let response = try await client.data(for: Self.request("http://a.test/bad"), limit: 4500)
        #expect(response.head.status == 404)
        #expect(response.body.count == 4500)
    }

    @Test("SC-6: a cancellation is thrown as it is")
    func cancellation() async throws {
        let (client, _) = Self.client { _ in .text("") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await client.data(for: Self.request("http://a.test/"), limit: 1)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
