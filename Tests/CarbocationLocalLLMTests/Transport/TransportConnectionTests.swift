import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

/// Connections of the platform's transport: how many, how long, and what happens when they break.
@Suite("HTTPTransport, connections", .timeLimit(.minutes(10)))
struct TransportConnectionTests {
    private let site: TransportSite
    private let server: HTTPTestServer

    init() throws {
        site = try TransportUnderTest.platform.site { request in
            ServerReply(body: .pattern(seed: 1, count: Int64(request.query("count") ?? "") ?? 10))
        }
        server = try #require(site.server)
    }

    @Test("requests one after another share a connection")
    func reuse() async throws {
        for _ in 0..<5 { _ = try await site.transport.record(site.request()) }
        #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1])
    }

    @Test("two servers in turn keep their connections")
    func reuseAcrossOrigins() async throws {
        let other = try HTTPTestServer { _ in .text("other") }
        for _ in 0..<3 {
            _ = try await site.transport.record(site.request())
            _ = try await site.transport.record(HTTPRequest(url: other.url("/")))
        }
        #expect(server.connectionCount == 1)
        #expect(other.connectionCount == 1)
    }

    @Test("a server that closed meanwhile is connected to anew")
    func staleConnection() async throws {
        server.faults.inject(
            ServerFault { reply, _ in reply.keepsConnection = false }, into: .path(endingWith: "/closing"))
        for _ in 0..<3 {
            _ = try await site.transport.record(site.request("/closing"))
            #expect(try await site.transport.record(site.request()).body.count == 10)
        }
    }

    @Test("DL-4: 40 exchanges go on at the same time, and their connections are used again")
    func manyAtOnce() async throws {
        let count = 40
        let gate = try ServerGate()
        server.faults.inject(.stall(after: 5, until: gate), times: count)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await site.transport.record(site.request()).body.count }
            }
            try await gate.reached(times: count)
            #expect(server.connectionCount == count)
            gate.open()
            for try await received in group { #expect(received == 10) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { _ = try await site.transport.record(site.request()) }
            }
            try await group.waitForAll()
        }
        #expect(server.connectionCount == count)
    }

    @Test("a receiver that blocks holds up its own exchange only")
    func blockedReceiver() async throws {
        let hold = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let recorder = ResponseRecorder(onHead: { _ in
            start.yield()
            hold.wait()
        })
        async let blocked: Void = site.transport.perform(site.request("/large?count=60000000"), receiver: recorder)
        for await _ in started { break }
        for _ in 0..<3 { #expect(try await site.transport.record(site.request()).body.count == 10) }
        // More than the system's buffers take, so it cannot have been sent.
        #expect(server.log.exchanges.first?.outcome == nil)
        hold.signal()
        try await blocked
        #expect(recorder.body.count == 60_000_000)
    }

    @Test("a connection that is reset in the body is a connection error")
    func reset() async throws {
        server.faults.inject(.drop(after: 5, isReset: true))
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await site.transport.record(site.request())
        }
        guard case .connection = error else { return #expect(error == .connection("")) }
    }

    @Test("nobody listens: a connection error")
    func refused() async throws {
        let port = try ReservedPort()
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await site.transport.record(HTTPRequest(url: "http://127.0.0.1:\(port.number)/".url))
        }
        guard case .connection = error else { return #expect(error == .connection("")) }
    }

    @Test("a server without TLS is a TLS error for https")
    func plainServer() async throws {
        let url = server.url("/").absoluteString.replacingOccurrences(of: "http:", with: "https:").url
        let error = await #expect(throws: HTTPTransportError.self) {
            _ = try await site.transport.record(HTTPRequest(url: url))
        }
        guard case .tls = error else { return #expect(error == .tls("")) }
    }

    @Test("any number may be a timeout", arguments: [Double.infinity, .nan, -1, 0, 1e300])
    func timeouts(seconds: Double) async throws {
        var request = site.request()
        request.timeout = seconds
        do {
            #expect(try await site.transport.record(request).body.count == 10)
        } catch HTTPTransportError.timedOut {
            #expect(!(seconds > 0))
        }
    }

    @Test("DL-7: silence for the request's timeout ends the exchange", arguments: [-1, 0, 5])
    func silence(after bytes: Int64) async throws {
        let gate = try ServerGate()
        server.faults.inject(bytes < 0 ? .stallBeforeHead(until: gate) : .stall(after: bytes, until: gate))
        var request = site.request()
        request.timeout = 0.5
        let recorder = ResponseRecorder()
        await #expect(throws: HTTPTransportError.timedOut) {
            try await site.transport.perform(request, receiver: recorder)
        }
        #expect(recorder.body.count <= max(0, bytes))
        // The client may give up before the server has read what it was asked.
        let outcome = try await server.log.received(1)[0].ended()
        guard case .clientClosed = outcome else { return #expect(outcome == .clientClosed(bytes)) }
    }
}
