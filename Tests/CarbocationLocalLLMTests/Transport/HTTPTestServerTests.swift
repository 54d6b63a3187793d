import CarbocationLocalLLM
import TestSupport
import Testing

/// The server that other tests trust.
@Suite("HTTPTestServer", .timeLimit(.minutes(10)))
struct HTTPTestServerTests {
    private static let content = ServerContent("0123456789")
    private static let resource = ServerResource(content, etag: "\"v1\"", lastModified: "Wed, 21 Oct 2015 07:28:00 GMT")

    private let server: HTTPTestServer

    init() throws {
        server = try HTTPTestServer(resources: ["/x.gguf": Self.resource])
    }

    private func get(_ headers: HTTPHeaders = [:], path: String = "/x.gguf") async throws -> (HTTPResponseHead, String)
    {
        let recorder = try await HTTPTransports.platformDefault.record(
            HTTPRequest(url: server.url(path), headers: headers))
        return (try #require(recorder.head), recorder.text)
    }

    @Test(
        "ranges",
        arguments: [
            ("bytes=0-", 206, "0123456789", "bytes 0-9/10"), ("bytes=3-5", 206, "345", "bytes 3-5/10"),
            ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("bytes=-3", 206, "789", "bytes 7-9/10"),
            ("bytes=10-", 416, "", "bytes */10"), ("bytes=5-3", 200, "0123456789", nil),
            ("bytes=0-1,3-4", 200, "0123456789", nil), ("items=0-1", 200, "0123456789", nil),
        ])
    func ranges(asked: String, status: Int, body: String, range: String?) async throws {
        let (head, text) = try await get(["Range": asked])
        #expect(head.status == status)
        #expect(text == body)
        #expect(head.headers["Content-Range"] == range)
        #expect(head.headers["ETag"] == "\"v1\"")
    }

    @Test(
        "If-Range",
        arguments: [
            ("\"v1\"", 206), ("Wed, 21 Oct 2015 07:28:00 GMT", 206), ("\"v2\"", 200), ("W/\"v1\"", 200), ("", 200),
        ])
    func conditions(validator: String, status: Int) async throws {
        #expect(try await get(["Range": "bytes=5-", "If-Range": validator]).0.status == status)
    }

    @Test("requests are logged with what became of them")
    func log() async throws {
        _ = try await get(["X-Mark": "1"], path: "/x.gguf?q=a%20b")
        #expect(try await get(path: "/y").0.status == 404)
        let exchanges = try await server.log.received(2)
        #expect(exchanges[0].request.path == "/x.gguf")
        #expect(exchanges[0].request.query("q") == "a b")
        #expect(exchanges[0].request.header("x-mark") == "1")
        #expect(try await exchanges[0].ended() == .sent(10))
    }

    @Test("faults apply to the requests they are meant for, as often as said")
    func faultCounts() async throws {
        server.faults.inject(.status(503), into: .range(from: 5), skipping: 1, times: 2)
        var statuses: [Int] = []
        for _ in 0..<5 { statuses.append(try await get(["Range": "bytes=5-"]).0.status) }
        #expect(statuses == [206, 503, 503, 206, 206])
        #expect(try await get(["Range": "bytes=4-"]).0.status == 206)
        server.faults.inject(.status(500), into: .method("GET").and(.path(beginningWith: "/x")))
        #expect(try await get().0.status == 500)
        server.faults.clear()
        #expect(try await get().0.status == 200)
    }

    @Test("faults of ranges", arguments: [(-1, "bytes 4-9/10", "456789"), (1, "bytes 6-9/10", "6789")])
    func shiftedRanges(offset: Int64, range: String, body: String) async throws {
        server.faults.inject(.shiftRange(by: offset, of: Self.resource), times: 1)
        server.faults.inject(.ignoreRange(of: Self.resource), skipping: 1, times: 1)
        server.faults.inject(.rangeAs200, skipping: 2, times: 1)
        server.faults.inject(.rangeNotSatisfiable(total: 10), skipping: 3)
        let shifted = try await get(["Range": "bytes=5-"])
        #expect(shifted.0.headers["Content-Range"] == range)
        #expect(shifted.1 == body)
        let whole = try await get(["Range": "bytes=5-"])
        #expect(whole.0.status == 200)
        #expect(whole.1 == "0123456789")
        let wrongStatus = try await get(["Range": "bytes=5-"])
        #expect(wrongStatus.0.status == 200)
        #expect(wrongStatus.1 == "56789")
        let refused = try await get(["Range": "bytes=5-"])
        #expect(refused.0.status == 416)
        #expect(refused.0.headers["Content-Range"] == "bytes */10")
    }

    @Test("faults of bodies")
    func bodies() async throws {
        server.faults.inject(.corrupt(at: 2), times: 1)
        server.faults.inject(.truncate(to: 4), skipping: 1, times: 1)
        server.faults.inject(.oversize(by: 3), skipping: 2, times: 1)
        server.faults.inject(.htmlInsteadOfData, skipping: 3, times: 1)
        server.faults.inject(.tooManyRequests(retryAfter: "7"), skipping: 4)
        let corrupted = try await HTTPTransports.platformDefault.record(HTTPRequest(url: server.url("/x.gguf")))
        #expect(corrupted.body == Array("01".utf8) + [~UInt8(ascii: "2")] + Array("3456789".utf8))
        #expect(try await get().1 == "0123")
        #expect(try await get().0.headers["Content-Length"] == "13")
        #expect(try await get().1.hasPrefix("<!DOCTYPE html>"))
        let refused = try await get().0
        #expect(refused.status == 429)
        #expect(refused.headers["Retry-After"] == "7")
    }

    @Test("a drip sends a piece for each gate that opens")
    func drip() async throws {
        let gates = try (0..<3).map { _ in try ServerGate() }
        server.faults.inject(.drip(every: 4, through: gates))
        let (pieces, piece) = AsyncStream.makeStream(of: Int.self)
        let recorder = ResponseRecorder(onBody: { piece.yield($0) })
        async let ended: Void = HTTPTransports.platformDefault.perform(
            HTTPRequest(url: server.url("/x.gguf")), receiver: recorder)
        var counts = pieces.makeAsyncIterator()
        for (gate, count) in zip(gates, [4, 8, 10]) {
            try await gate.reached()
            #expect(recorder.body.count == count - (count == 10 ? 2 : 4))
            gate.open()
            #expect(await counts.next() == count)
        }
        try await ended
    }

    @Test("stopping ends what is going on")
    func stop() async throws {
        let gate = try ServerGate()
        server.faults.inject(.stallBeforeHead(until: gate))
        let task = Task { try await get() }
        try await gate.reached()
        server.stop()
        await #expect(throws: HTTPTransportError.self) { _ = try await task.value }
    }

    @Test("waiting for something that does not come can be cancelled")
    func cancelledWait() async throws {
        let task = Task { try await server.log.received(1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test("content is the same however it is read")
    func content() {
        let content = ServerContent.gguf(seed: 5, count: 200_000)
        let all = content.bytes
        #expect(all.starts(with: Array("GGUF".utf8)))
        #expect(Array(all[65_000..<140_000]) == content[65_000..<140_000])
        #expect(content.slice(100..<200).bytes == Array(all[100..<200]))
        #expect(content.replacing(at: 99, with: [1, 2, 3])[98..<103] == [all[98], 1, 2, 3, all[102]])
        #expect(content.appending(ServerContent("end"))[199_998..<200_003] == all.suffix(2) + Array("end".utf8))
        #expect(content.sha256 == SHA256Hasher.hash(all))
        #expect(content.sha256 != ServerContent.gguf(seed: 6, count: 200_000).sha256)
    }
}
