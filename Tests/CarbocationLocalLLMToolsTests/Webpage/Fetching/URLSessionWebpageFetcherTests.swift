import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import TestSupport
import Testing

@Suite("Fetching webpages", .timeLimit(.minutes(10)))
struct URLSessionWebpageFetcherTests {
    private let fetcher = URLSessionWebpageFetcher()

    @Test("BT-5: a page of a server")
    func page() async throws {
        let server = try HTTPTestServer { _ in .html("<title>Häuser</title><p>Guten Tag") }
        let output = try await load(
            server.url("/a?q=S%26P+500&x=%2f").absoluteString, configuration: .local(), fetcher: fetcher)
        #expect(output.string(forKey: "title") == "Häuser")
        #expect(output.pageText == "Guten Tag")
        #expect(output.objectValue?["status_code"] == 200)
        let request = try #require(server.requests.first)
        #expect(request.target == "/a?q=S%26P+500&x=%2f")
        #expect(request.method == "GET")
        #expect(request.header("Host") == "127.0.0.1:\(server.port)")
        for name in ["Cookie", "Authorization", "Referer", "Proxy-Authorization", "Range", "If-None-Match"] {
            #expect(request.header(name) == nil)
        }
        #expect(request.header("User-Agent")?.contains("CarbocationLocalLLM") == true)
        #expect(server.requests.count == 1)
    }

    @Test("no cookie that a page sets is sent again")
    func cookies() async throws {
        let server = try HTTPTestServer { request in
            var reply = request.path == "/1" ? ServerReply.redirect("/2") : .html("x")
            reply[header: "Set-Cookie"] = "a=b; Path=/"
            return reply
        }
        for _ in 0..<2 {
            _ = try await load(server.url("/1").absoluteString, configuration: .local(), fetcher: fetcher)
        }
        #expect(server.requests.count == 4)
        #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test(
        "redirects are followed, wherever they lead as seen from the page",
        arguments: [
            ("/b", "/b"), ("b", "/d/b"), ("../b", "/b"), ("./b/../c?x", "/d/c?x"), ("?x=%26", "/d/a?x=%26"),
            ("#f", "/d/a?q"),
            ("//127.0.0.1:PORT/b", "/b"), ("http://127.0.0.1:PORT/b#f", "/b"), ("HTTP://127.0.0.1:PORT", "/"),
            ("/a b", "/a%20b"),
            ("/ü", "/%C3%BC"), ("  /b  ", "/b"), ("http://name.example:PORT/b", "/b"), ("/..", "/"),
            ("/a/./b/", "/a/b/"), ("\\b", "/d/%5Cb"),
        ], [301, 307])
    func redirects(redirect: (location: String, target: String), status: Int) async throws {
        let server = try HTTPTestServer { request in
            let location = redirect.location.replacing("PORT", with: "\(request.port)")
            return request.header("X-None") == nil && request.target == "/d/a?q" && request.connection == 1
                ? .redirect(location, status: status) : .html("there")
        }
        let fetcher = URLSessionWebpageFetcher(resolver: StubResolver.loopback)
        let output = try await load(server.url("/d/a?q").absoluteString, configuration: .local(), fetcher: fetcher)
        #expect(output.pageText == "there", "\(output.jsonString())")
        #expect(server.requests.map(\.target) == ["/d/a?q", redirect.target])
        let final = try #require(output.string(forKey: "final_url"))
        #expect(final.hasSuffix(redirect.target) || redirect.target == "/")
    }

    @Test(
        "W04: redirects to what is no page",
        arguments: [
            "https:///redirect", "ftp://x/", "file:///etc/hosts", "FILE:///etc/hosts", "data:text/html,x",
            "javascript:x", "http://u:p@127.0.0.1/",
            "http://a b/", "http:///x", "http:x", "about:blank", "http://[::1", "http://%31/", "//", "https://",
        ])
    func unsupportedRedirects(location: String) async throws {
        let server = try HTTPTestServer { _ in .redirect(location) }
        let output = try await load(server.url("/").absoluteString, configuration: .local(), fetcher: fetcher)
        #expect(output.failureCode == "unsupported_redirect", "\(output.jsonString())")
        #expect(server.requests.count == 1)
    }

    @Test("redirects without end", arguments: [0, 1, 5])
    func manyRedirects(limit: Int) async throws {
        let server = try HTTPTestServer { .redirect($0.path + "x") }
        let output = try await load(
            server.url("/").absoluteString, configuration: .local(maximumRedirects: limit), fetcher: fetcher)
        #expect(output.failureCode == "webpage_load_failed")
        #expect(server.requests.count == limit + 1)
    }

    @Test("as many redirects as allowed")
    func enoughRedirects() async throws {
        let server = try HTTPTestServer { $0.path.count < 6 ? .redirect($0.path + "x") : .html("there") }
        #expect(
            try await load(server.url("/").absoluteString, configuration: .local(), fetcher: fetcher).pageText
                == "there")
    }

    @Test("BT-5: statuses, and redirects that lead nowhere", arguments: [404, 500, 304, 302, 300, 401, 407])
    func statuses(status: Int) async throws {
        let server = try HTTPTestServer { _ in
            ServerReply(status: status, headers: [ServerHeader("Content-Type", "text/html")], body: ServerContent("x"))
        }
        let output = try await load(server.url("/").absoluteString, configuration: .local(), fetcher: fetcher)
        #expect(output.failureCode == "http_status")
        #expect(output.failureMessage.contains("\(status)"))
        #expect(server.requests.count == 1)
    }

    @Test("W08: a PDF is not loaded", arguments: ["application/pdf", "image/png", "application/octet-stream"])
    func types(type: String) async throws {
        let server = try HTTPTestServer { _ in
            ServerReply(headers: [ServerHeader("Content-Type", type)], body: .pattern(seed: 1, count: 1 << 40))
        }
        let output = try await load(server.url("/").absoluteString, configuration: .local(), fetcher: fetcher)
        #expect(output.failureCode == "unsupported_content_type")
    }

    @Test("BT-7: the byte limit counts what has been decompressed, and ends the transfer", arguments: [true, false])
    func byteLimit(isCompressed: Bool) async throws {
        let size = 50_000_000
        let server = try HTTPTestServer { _ in
            guard isCompressed else {
                var reply = ServerReply(headers: [ServerHeader("Content-Type", "text/plain")])
                reply.body = ServerContent(count: 1 << 40) { [UInt8](repeating: 0x61, count: $0.count) }
                reply.framing = .chunked(1 << 16)
                return reply
            }
            return ServerReply(
                headers: [ServerHeader("Content-Type", "text/html"), ServerHeader("Content-Encoding", "gzip")],
                body: ServerContent(Gzip.zeros(size)))
        }
        let output = try await load(
            server.url("/").absoluteString, configuration: .local(maximumBytes: 100_000), fetcher: fetcher)
        #expect(output.bytesRead == 100_000)
        #expect(output.isTruncated == true)
        #expect(output.pageText?.count == (isCompressed ? 0 : 20_000))
    }

    @Test("BT-7: a compressed page, and exactly as many bytes as allowed", arguments: [1024, 1025])
    func compressed(count: Int) async throws {
        let body = Gzip.storing([UInt8](repeating: 0x61, count: count))
        let server = try HTTPTestServer { _ in
            ServerReply(
                headers: [ServerHeader("Content-Type", "text/plain"), ServerHeader("Content-Encoding", "gzip")],
                body: ServerContent(body))
        }
        let output = try await load(
            server.url("/").absoluteString, configuration: .local(maximumBytes: 1024), fetcher: fetcher)
        #expect(output.bytesRead == 1024)
        #expect(output.isTruncated == (count > 1024))
        #expect(server.requests.first?.header("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test("BT-5: a length of more than ten times the limit is refused", arguments: [10_240, 10_241])
    func declaredLength(length: Int64) async throws {
        let server = try HTTPTestServer { _ in
            ServerReply(
                headers: [ServerHeader("Content-Type", "text/html")],
                body: ServerContent(count: length) { [UInt8](repeating: 0x61, count: $0.count) })
        }
        let output = try await load(
            server.url("/").absoluteString, configuration: .local(maximumBytes: 1024), fetcher: fetcher)
        #expect(output.failureCode == (length > 10_240 ? "response_too_large" : nil))
    }

    @Test("the timeout is that of the whole, however the server dawdles", arguments: [-1, 0, 10])
    func timeout(after bytes: Int64) async throws {
        let gate = try ServerGate()
        let server = try HTTPTestServer { _ in .html(String(repeating: "x", count: 100)) }
        server.faults.inject(bytes < 0 ? .stallBeforeHead(until: gate) : .stall(after: bytes, until: gate))
        let output = try await load(server.url("/").absoluteString, configuration: .local(timeout: 1), fetcher: fetcher)
        #expect(output.failureCode == "webpage_load_failed")
    }

    @Test("cancelling ends the transfer, wherever it is", arguments: [-1, 10])
    func cancelling(after bytes: Int64) async throws {
        let gate = try ServerGate()
        let server = try HTTPTestServer { _ in .html(String(repeating: "x", count: 100)) }
        server.faults.inject(bytes < 0 ? .stallBeforeHead(until: gate) : .stall(after: bytes, until: gate))
        let address = server.url("/").absoluteString
        let task = Task { try await load(address, configuration: .local(), fetcher: fetcher) }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await server.log.exchanges[0].ended() == .clientClosed(max(0, bytes)))
    }

    @Test("a lookup that takes for ever is given up")
    func slowLookup() async throws {
        let resolver = StubResolver { _, _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return []
        }
        let fetcher = URLSessionWebpageFetcher(resolver: resolver)
        let output = try await load("http://slow.example/", configuration: .init(timeout: 1), fetcher: fetcher)
        #expect(output.failureCode == "webpage_load_failed")
        let task = Task { try await load("http://slow.example/", fetcher: fetcher) }
        while resolver.names.count < 2 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("broken servers", arguments: [0, 1, 2, 3])
    func broken(kind: Int) async throws {
        let server = try HTTPTestServer { _ in .html("some text") }
        let faults: [ServerFault] = [
            .dropBeforeHead(), .drop(after: 3), .rawHead(Array("SSH-2.0-x\r\n\r\n".utf8)),
            .header("Content-Encoding", "gzip"),
        ]
        server.faults.inject(faults[kind])
        let output = try await load(server.url("/").absoluteString, configuration: .local(), fetcher: fetcher)
        #expect(output.failureCode == "webpage_load_failed", "\(output.jsonString())")
    }

    @Test("nobody listens")
    func refused() async throws {
        let port = try ReservedPort()
        let output = try await load("http://127.0.0.1:\(port.number)/", configuration: .local(), fetcher: fetcher)
        #expect(output.failureCode == "webpage_load_failed")
        #expect(output.failureMessage.count < 400)
    }
}
