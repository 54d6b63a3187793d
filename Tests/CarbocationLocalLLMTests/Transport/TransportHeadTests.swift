import CarbocationLocalLLM
import TestSupport
import Testing

/// What the platform's transport sends and accepts as heads.
@Suite("HTTPTransport, heads", .timeLimit(.minutes(10)))
struct TransportHeadTests {
    private let site: TransportSite
    private let server: HTTPTestServer

    init() throws {
        site = try TransportUnderTest.platform.site { _ in
            ServerReply(headers: [ServerHeader("Set-Cookie", "id=1")], body: ServerContent("body"))
        }
        server = try #require(site.server)
    }

    private func answer(_ head: String) async throws -> ResponseRecorder {
        server.faults.inject(.rawHead(Array(head.utf8)))
        return try await site.transport.record(site.request())
    }

    @Test("the request arrives as it was given")
    func request() async throws {
        var request = site.request("/a%20b/%2Fc;d?q=%26&r=1%202")
        request.headers = ["Range": "bytes=5-", "X-Empty": "", "User-Agent": "CarbocationLocalLLM/1.0"]
        request.headers.add("one", for: "X-Twice")
        request.headers.add("two", for: "X-Twice")
        _ = try await site.transport.record(request)
        let received = server.requests[0]
        #expect(received.method == "GET")
        #expect(received.target == "/a%20b/%2Fc;d?q=%26&r=1%202")
        #expect(received.header("Range") == "bytes=5-")
        #expect(received.header("X-Empty") == "")
        #expect(received.header("User-Agent") == "CarbocationLocalLLM/1.0")
        #expect(received.headers.filter { $0.name == "X-Twice" }.map(\.value) == ["one", "two"])
        #expect(received.header("Host") == "127.0.0.1:\(server.port)")
    }

    @Test("nothing is remembered and nothing added that identifies anybody")
    func noCookies() async throws {
        for _ in 0..<2 { _ = try await site.transport.record(site.request()) }
        for request in server.requests {
            #expect(request.header("Cookie") == nil)
            #expect(request.header("Authorization") == nil)
            #expect(request.header("Referer") == nil)
        }
    }

    @Test(
        "headers and methods that would change the request's shape are refused",
        arguments: [
            ("X-A", "1\r\nX-B: 2"), ("X-A", "1\n"), ("X-A", "\u{0}"), ("X A", "1"), ("X-A:", "1"), ("", "1"),
            ("X-A\r\n", "1"), ("Ä", "1"),
        ])
    func injection(name: String, value: String) async throws {
        var request = site.request()
        request.headers.add(value, for: name)
        let error = await #expect(throws: HTTPTransportError.self) { _ = try await site.transport.record(request) }
        guard case .invalidRequest = error else { return #expect(error == .invalidRequest("")) }
        #expect(server.requests.isEmpty)
    }

    @Test("a method is one word")
    func method() async throws {
        var request = site.request()
        request.method = "GET / HTTP/1.1\r\nX: "
        await #expect(throws: HTTPTransportError.invalidRequest("The method is no word.")) {
            _ = try await site.transport.record(request)
        }
    }

    @Test("heads of 1xx are passed over")
    func interimHeads() async throws {
        server.faults.inject(
            ServerFault { reply, _ in
                let early = [ServerHeader("Link", "</style.css>; rel=preload")]
                reply.interimHeads = [(103, early), (100, [])]
            })
        let recorder = try await site.transport.record(site.request())
        #expect(recorder.heads.map(\.status) == [200])
        #expect(recorder.head?.headers["Link"] == nil)
        #expect(recorder.text == "body")
    }

    @Test("headers may come twice, folded, in any case and without a reason phrase")
    func unusualHeads() async throws {
        let recorder = try await answer(
            "HTTP/1.1 200\r\nx-TWICE: one\r\nX-Twice:two  \r\nX-Folded: a\r\n \t b\r\n"
                + "Content-Length: 4\r\nX-Raw: é\r\n\r\n")
        let headers = try #require(recorder.head?.headers)
        #expect(headers.values(of: "X-Twice") == ["one", "two"])
        #expect(headers["X-Folded"] == "a b")
        #expect(headers["X-Raw"] == "é")
        #expect(recorder.text == "body")
    }

    @Test(
        "what is no HTTP is refused",
        arguments: [
            "SSH-2.0-OpenSSH_9.2p1\r\n", "<!DOCTYPE html>\n<p>", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon here\r\n\r\n", "HTTP/1.1 200 OK\r\n: nameless\r\n\r\n", "\r\n\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
        ])
    func noHTTP(head: String) async throws {
        let error = await #expect(throws: HTTPTransportError.self) { _ = try await answer(head) }
        switch error {
        case .malformedResponse, .connection: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("a head that ends in its middle is an error")
    func truncatedHead() async throws {
        server.faults.inject(.truncate(to: 0))
        await #expect(throws: HTTPTransportError.self) { _ = try await answer("HTTP/1.1 200 OK\r\nContent-Le") }
    }

    @Test("heads are at most 256 KiB", arguments: [1, 1000, 20_000])
    func hugeHead(lines: Int) async throws {
        let line = "X-Filler: \(String(repeating: "x", count: 300_000 / lines))\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: lines) + "Content-Length: 4\r\n\r\n"
        let error = await #expect(throws: HTTPTransportError.self) { _ = try await answer(head) }
        switch error {
        case .malformedResponse, .connection: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("endless heads of 1xx are no way around the limit")
    func endlessInterimHeads() async throws {
        let interim = "HTTP/1.1 102 Processing\r\nX: \(String(repeating: "y", count: 1000))\r\n\r\n"
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await answer(String(repeating: interim, count: 400))
        }
        guard case .malformedResponse = error else { return #expect(error == .malformedResponse("")) }
    }
}
