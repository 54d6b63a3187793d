import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("ConnectionRamp")
struct ConnectionRampTests {
    @Test("DL-4: connections are added up to the limit while bytes come slowly", arguments: [1, 3, 4, 5, 12, 32])
    func slow(limit: Int) {
        var ramp = ConnectionRamp(limit: limit)
        var started = ramp.start()
        var received: Int64 = 0
        #expect(started == 1)
        while ramp.isRising {
            received += 1_000_000
            let added = ramp.next(received: received)
            #expect(added > 0)
            started += added
        }
        #expect(started == limit)
        #expect(ramp.count == limit)
        #expect(ramp.next(received: received) == 0)
    }

    @Test("where bytes come quickly there are few, until they no longer do")
    func quick() {
        var ramp = ConnectionRamp(limit: 12)
        _ = ramp.start()
        #expect(ramp.next(received: ConnectionRamp.enough) == 0)
        #expect(ramp.isRising)
        #expect(ramp.next(received: ConnectionRamp.enough + 1) == 4)
    }

    @Test("what arrived for other files does not count")
    func others() {
        var ramp = ConnectionRamp(limit: 12)
        _ = ramp.start(received: 100 << 20)
        #expect(ramp.next(received: (100 << 20) + 1) == 4)
    }

    @Test("once a worker has found nothing to do, none is added")
    func ended() {
        var ramp = ConnectionRamp(limit: 12)
        _ = ramp.start()
        _ = ramp.next(received: 1)
        ramp.workerEnded()
        #expect(!ramp.isRising)
        #expect(ramp.count == 4)
        #expect(ramp.next(received: 0) == 0)
    }

    @Test("once the server asked for fewer requests, none is added")
    func settled() {
        var ramp = ConnectionRamp(limit: 12)
        _ = ramp.start()
        ramp.settle()
        #expect(!ramp.isRising)
        #expect(ramp.next(received: 1) == 0)
        #expect(ramp.count == 1)
    }

    @Test(
        "DL-4: a slow download rises to all its connections, and ends without waiting for more",
        .timeLimit(.minutes(10)))
    func download() async throws {
        let resource = ServerResource.model(kibibytes: 20 << 10)
        let rig = DownloadRig(resource)
        let gated = GatedTransport(base: rig.transport) { $0.headers["If-Range"] != nil }
        let engine = rig.engine(transport: gated)
        let task = Task { [rig, engine] in try await rig.download(connections: 10, engine: engine) }
        await gated.reached(times: 1)
        // The progress, the checkpoints and the next decision.
        await rig.clock.sleeping(3)
        rig.clock.advance(by: ConnectionRamp.interval)
        await gated.reached(times: 5)
        await rig.clock.sleeping(3)
        rig.clock.advance(by: ConnectionRamp.interval)
        await gated.reached(times: 9)
        await rig.clock.sleeping(3)
        rig.clock.advance(by: ConnectionRamp.interval)
        await gated.reached(times: 10)
        gated.open()
        #expect(try await task.value.sha256 == resource.content.sha256)
    }
}
