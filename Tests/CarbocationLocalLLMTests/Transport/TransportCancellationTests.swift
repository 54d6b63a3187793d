import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

/// The server never goes on by itself in these tests, so only the cancellation can end the exchange.
@Suite("HTTPTransport, cancellation", .timeLimit(.minutes(10)))
struct TransportCancellationTests {
    private let site: TransportSite
    private let server: HTTPTestServer
    private let gate: ServerGate

    init() throws {
        site = try TransportUnderTest.platform.site { _ in ServerReply(body: .pattern(seed: 1, count: 100_000)) }
        server = try #require(site.server)
        gate = try ServerGate()
    }

    @Test("SC-6, DL-17: cancelling closes the connection, wherever the response is", arguments: [-1, 0, 20_000])
    func cancelling(after bytes: Int64) async throws {
        server.faults.inject(bytes < 0 ? .stallBeforeHead(until: gate) : .stall(after: bytes, until: gate))
        let recorder = ResponseRecorder()
        let task = Task { try await site.transport.perform(site.request(), receiver: recorder) }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await server.log.exchanges[0].ended() == .clientClosed(max(0, bytes)))
        #expect(recorder.body.count <= max(0, bytes))
    }

    @Test("the connection is closed without waiting for the timeout")
    func promptness() async throws {
        server.faults.inject(.stall(after: 100, until: gate))
        // A busy machine may delay any one of them.
        var quickest = Duration.seconds(60)
        for index in 0..<5 {
            let task = Task { _ = try await site.transport.record(site.request()) }
            try await gate.reached(times: index + 1)
            let start = ContinuousClock.now
            task.cancel()
            _ = try await server.log.exchanges[index].ended()
            quickest = min(quickest, ContinuousClock.now - start)
            _ = await task.result
        }
        // A guard against waiting, not a measurement: the tests of other suites take the cores.
        #expect(quickest < .seconds(5))
    }

    @Test("a receiver that is busy when the task is cancelled gets nothing more")
    func whileReceiving() async throws {
        let hold = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let recorder = ResponseRecorder(onBody: { _ in
            start.yield()
            hold.wait()
        })
        let task = Task { try await site.transport.perform(site.request(), receiver: recorder) }
        for await _ in started { break }
        task.cancel()
        hold.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(recorder.pieces == 1)
    }

    @Test("the receiver's own CancellationError is thrown as it is")
    func thrownByReceiver() async throws {
        let recorder = ResponseRecorder(onHead: { _ in throw CancellationError() })
        await #expect(throws: CancellationError.self) {
            try await site.transport.perform(site.request(), receiver: recorder)
        }
    }

    @Test("after a cancellation the transport goes on working")
    func afterwards() async throws {
        server.faults.inject(.stall(after: 100, until: gate), times: 1)
        let task = Task { _ = try await site.transport.record(site.request()) }
        try await gate.reached()
        task.cancel()
        _ = await task.result
        #expect(try await site.transport.record(site.request()).body.count == 100_000)
    }

    @Test("a cancellation at any moment gives the response or a CancellationError, and harms no other exchange")
    func races() async throws {
        let expected = ServerContent.pattern(seed: 1, count: 100_000).bytes
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task { try await site.transport.record(site.request()).body }
                    for _ in 0..<index % 20 { await Task.yield() }
                    if index % 4 != 0 { task.cancel() }
                    do {
                        return try await task.value == expected
                    } catch is CancellationError {
                        return index % 4 != 0
                    }
                }
            }
            for try await isSound in group { #expect(isSound) }
        }
    }
}
