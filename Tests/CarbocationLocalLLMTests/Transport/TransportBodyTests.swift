import CarbocationLocalLLM
import TestSupport
import Testing

/// Framing and compression of bodies, by the platform's transport.
@Suite("HTTPTransport, bodies", .timeLimit(.minutes(10)))
struct TransportBodyTests {
    private static let text = String(repeating: "All work and no play. ", count: 500)

    private let site: TransportSite
    private let server: HTTPTestServer

    init() throws {
        site = try TransportUnderTest.platform.site { _ in .text(Self.text) }
        server = try #require(site.server)
    }

    private func request(acceptsCompression: Bool = false, limit: Int64? = nil) -> HTTPRequest {
        var request = site.request()
        request.acceptsCompression = acceptsCompression
        request.maximumBodyBytes = limit
        return request
    }

    @Test("a body may be chunked, or end with the connection", arguments: [1, 7, 4096])
    func framings(chunk: Int64) async throws {
        server.faults.inject(.chunked(size: chunk), times: 1)
        server.faults.inject(.lengthless, skipping: 1)
        for _ in 0..<2 { #expect(try await site.transport.record(request()).text == Self.text) }
    }

    @Test("a chunked body without its last chunk is incomplete")
    func unfinishedChunks() async throws {
        server.faults.inject(.chunked(size: 100))
        server.faults.inject(.drop(after: 1000))
        await #expect(throws: HTTPTransportError.incompleteBody) { _ = try await site.transport.record(request()) }
    }

    @Test("trailers are no part of the head or the body")
    func trailers() async throws {
        let head =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n"
            + "3\r\nabc\r\n0\r\nX-Late: 1\r\n\r\n"
        server.faults.inject(.rawHead(Array(head.utf8)))
        server.faults.inject(.truncate(to: 0))
        let recorder = try await site.transport.record(request())
        #expect(recorder.text == "abc")
        #expect(recorder.heads.count == 1)
        #expect(recorder.head?.headers["X-Late"] == nil)
    }

    @Test("bytes after the announced length are left out")
    func excess() async throws {
        server.faults.inject(.contentLength(10))
        #expect(try await site.transport.record(request()).text == "All work a")
    }

    @Test("compression is asked for and undone only if the request allows it")
    func compression() async throws {
        server.faults.inject(.gzip)
        #expect(try await site.transport.record(request(acceptsCompression: true)).text == Self.text)
        #expect(server.requests[0].header("Accept-Encoding")?.contains("gzip") == true)
        let error = await #expect(throws: HTTPTransportError.self) { _ = try await site.transport.record(request()) }
        guard case .malformedResponse = error else { return #expect(error == .malformedResponse("")) }
        let asked = server.requests[1].header("Accept-Encoding")
        #expect(asked == nil || asked == "identity")
    }

    @Test("an error's body may be compressed unasked, as only its status matters")
    func compressedError() async throws {
        server.faults.inject(.status(503))
        server.faults.inject(.gzip)
        #expect(try await site.transport.record(request()).head?.status == 503)
    }

    @Test("what is no gzip is malformed")
    func brokenCompression() async throws {
        server.faults.inject(.header("Content-Encoding", "gzip"))
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await site.transport.record(request(acceptsCompression: true))
        }
        guard case .malformedResponse = error else { return #expect(error == .malformedResponse("")) }
    }

    @Test("a few bytes that become many stop at the limit", arguments: [1000, 1 << 20, nil])
    func bomb(limit: Int64?) async throws {
        server.faults.inject(.gzipBomb(expandingTo: 80 << 20))
        let counter = CountingReceiver()
        await #expect(throws: HTTPTransportError.bodyTooLarge) {
            try await site.transport.perform(request(acceptsCompression: true, limit: limit), receiver: counter)
        }
        #expect(counter.count <= limit ?? 64 << 20)
    }

    @Test("the limit counts decompressed bytes, and the announced length is of compressed ones")
    func limitOfCompressed() async throws {
        server.faults.inject(.gzip)
        let size = Int64(Self.text.utf8.count)
        #expect(try await site.transport.record(request(acceptsCompression: true, limit: size)).body.count == Int(size))
        await #expect(throws: HTTPTransportError.bodyTooLarge) {
            _ = try await site.transport.record(request(acceptsCompression: true, limit: size - 1))
        }
    }

    @Test("a body that is announced as too large is not even begun")
    func announcedTooLarge() async throws {
        let recorder = ResponseRecorder()
        await #expect(throws: HTTPTransportError.bodyTooLarge) {
            try await site.transport.perform(request(limit: 100), receiver: recorder)
        }
        #expect(recorder.head?.status == 200)
        #expect(recorder.body.isEmpty)
    }
}

/// Counts bytes and forgets them.
private final class CountingReceiver: HTTPResponseReceiver {
    private let total = Locked<Int64>(0)

    var count: Int64 { total.withLock { $0 } }

    func receive(head: HTTPResponseHead) {}

    func receive(body: UnsafeRawBufferPointer) {
        total.withLock { $0 += Int64(body.count) }
    }
}
