import CarbocationLocalLLM
import TestSupport
import Testing

/// What every transport does alike, the one in memory included.
@Suite("HTTPTransport", .timeLimit(.minutes(10)))
struct TransportContractTests {
    @Test("the head comes first and once, then the body in order", arguments: TransportUnderTest.allCases)
    func headAndBody(kind: TransportUnderTest) async throws {
        let content = ServerContent.pattern(seed: 7, count: 3_000_001)
        let site = try kind.site { _ in ServerReply(headers: [ServerHeader("X-Mark", "here")], body: content) }
        let recorder = try await site.transport.record(site.request())
        #expect(recorder.heads.count == 1)
        #expect(recorder.head?.status == 200)
        #expect(recorder.head?.headers["x-mark"] == "here")
        #expect(recorder.head?.headers["Content-Length"] == "3000001")
        #expect(!recorder.bodyStartedBeforeHead)
        #expect(recorder.body == content.bytes)
        #expect(recorder.pieces > 1)
    }

    @Test(
        "every status is a response", arguments: TransportUnderTest.allCases, [200, 206, 304, 401, 404, 416, 429, 503])
    func statuses(kind: TransportUnderTest, status: Int) async throws {
        let site = try kind.site { _ in .text("why", status: status) }
        let recorder = try await site.transport.record(site.request())
        #expect(recorder.head?.status == status)
        if kind != .inMemory { #expect(recorder.text == (status == 304 ? "" : "why")) }
    }

    @Test(
        "DL-8: a redirect is a response like any other", arguments: TransportUnderTest.exact,
        ["/elsewhere", "file:///etc/passwd", "http://127.0.0.1:1/", "", "http://[broken"])
    func redirects(kind: TransportUnderTest, location: String) async throws {
        let site = try kind.site { $0.path == "/file" ? .redirect(location) : .text("followed") }
        let recorder = try await site.transport.record(site.request())
        #expect(recorder.head?.status == 302)
        #expect(recorder.head?.headers["Location"] ?? "" == location)
        #expect(recorder.text == "")
        if let server = site.server { #expect(server.requests.count == 1) }
    }

    @Test("HEAD gives the length and no body", arguments: TransportUnderTest.allCases)
    func headRequest(kind: TransportUnderTest) async throws {
        let site = try kind.site { ServerResource(.pattern(seed: 1, count: 5000)).reply(to: $0) }
        var request = site.request()
        request.method = "HEAD"
        let recorder = try await site.transport.record(request)
        #expect(recorder.head?.headers["Content-Length"] == "5000")
        #expect(recorder.body.isEmpty)
    }

    @Test("what the receiver throws at the head is thrown", arguments: TransportUnderTest.allCases)
    func throwingAtHead(kind: TransportUnderTest) async throws {
        let site = try kind.site { _ in ServerReply(body: .pattern(seed: 1, count: 100_000)) }
        let recorder = ResponseRecorder(onHead: { _ in throw ResponseRecorder.Stop() })
        await #expect(throws: ResponseRecorder.Stop()) {
            try await site.transport.perform(site.request(), receiver: recorder)
        }
        #expect(recorder.body.isEmpty)
    }

    @Test("what the receiver throws in the body is thrown, and nothing follows", arguments: TransportUnderTest.exact)
    func throwingInBody(kind: TransportUnderTest) async throws {
        let site = try kind.site { _ in ServerReply(body: .pattern(seed: 1, count: 40_000_000)) }
        let recorder = ResponseRecorder(onBody: { if $0 > 10_000 { throw ResponseRecorder.Stop() } })
        await #expect(throws: ResponseRecorder.Stop()) {
            try await site.transport.perform(site.request(), receiver: recorder)
        }
        #expect(recorder.body.count < 2_000_000)
        if let exchange = site.server?.log.exchanges.first {
            let outcome = try await exchange.ended()
            guard case .clientClosed = outcome else { return #expect(outcome == .clientClosed(0)) }
        }
    }

    @Test("a task that is cancelled already sends nothing", arguments: TransportUnderTest.allCases)
    func cancelledBefore(kind: TransportUnderTest) async throws {
        let site = try kind.site { _ in .text("hello") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await site.transport.record(site.request())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(site.server?.requests ?? [] == [])
    }

    @Test(
        "bodies up to the limit are received, larger ones are not", arguments: TransportUnderTest.allCases,
        [ServerReply.Framing.contentLength, .chunked(100)])
    func bodyLimit(kind: TransportUnderTest, framing: ServerReply.Framing) async throws {
        let site = try kind.site { _ in
            var reply = ServerReply(body: .pattern(seed: 1, count: 5000))
            reply.framing = framing
            return reply
        }
        var request = site.request()
        request.maximumBodyBytes = 5000
        #expect(try await site.transport.record(request).body.count == 5000)
        request.maximumBodyBytes = 4999
        let recorder = ResponseRecorder()
        await #expect(throws: HTTPTransportError.bodyTooLarge) {
            try await site.transport.perform(request, receiver: recorder)
        }
        #expect(recorder.heads.count == 1)
        #expect(recorder.body.count <= 4999)
    }

    @Test(
        "addresses that are not http, or hold credentials, are refused", arguments: TransportUnderTest.allCases,
        [
            "file:///etc/passwd", "ftp://127.0.0.1/x", "http://user@127.0.0.1/", "http://user:secret@127.0.0.1/",
            "data:,x", "relative",
        ])
    func invalidAddresses(kind: TransportUnderTest, address: String) async throws {
        let site = try kind.site { _ in .text("hello") }
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await site.transport.record(HTTPRequest(url: address.url))
        }
        guard case .invalidRequest(let reason) = error else { return #expect(error == .invalidRequest("")) }
        #expect(!reason.contains("secret"))
    }

    @Test("the connection's end before the announced length is an error", arguments: TransportUnderTest.exact)
    func shortBody(kind: TransportUnderTest) async throws {
        let site = try kind.site { _ in ServerReply(body: .pattern(seed: 1, count: 1000)) }
        site.faults.inject(.drop(after: 900))
        let recorder = ResponseRecorder()
        let error = await #expect(throws: HTTPTransportError.self) {
            try await site.transport.perform(site.request(), receiver: recorder)
        }
        #expect(error == .incompleteBody)
        #expect(recorder.head?.status == 200)
    }

    @Test("no answer is a connection error", arguments: TransportUnderTest.exact)
    func noAnswer(kind: TransportUnderTest) async throws {
        let site = try kind.site { _ in .text("hello") }
        site.faults.inject(.dropBeforeHead())
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await site.transport.record(site.request())
        }
        guard case .connection = error else { return #expect(error == .connection("")) }
    }
}
