import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Cancelling a download", .timeLimit(.minutes(10)))
struct FileDownloadCancellationTests {
    private let resource = ServerResource.model(kibibytes: 4096)

    @Test("DL-17: cancelling throws CancellationError, keeps what has arrived, and nothing is written afterwards")
    func cancel() async throws {
        let fileSystem = FaultyFileSystem()
        var rig = DownloadRig(resource)
        rig.fileSystem = fileSystem
        let gated = GatedTransport(base: rig.transport) { $0.headers["Range"]?.hasPrefix("bytes=2097152-") == true }
        let engine = rig.engine(transport: gated)
        let task = Task { [rig] in try await rig.download(connections: 1, engine: engine) }
        await gated.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let changes = fileSystem.changes
        gated.open()
        let partial = try #require(ModelDownloader.listPartials(in: rig.folder.url).first)
        #expect(partial.bytesOnDisk == 2 << 20)
        #expect(fileSystem.changes == changes)

        #expect(try await rig.download().sha256 == resource.content.sha256)
        #expect(rig.askedRanges.count { $0.lowerBound == 0 } == 1)
    }

    @Test("DL-17: a download that was cancelled before it began sends nothing")
    func early() async throws {
        let rig = DownloadRig(resource)
        let task = Task { [rig] in
            while !Task.isCancelled { await Task.yield() }
            return try await rig.download()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(rig.ranges.isEmpty)
    }

    @Test("DL-17: waiting for a retry ends at once")
    func whileWaiting() async throws {
        let rig = DownloadRig(resource)
        rig.faults.inject(.status(503))
        var engine = rig.engine
        engine.environment.retryDelay = { _, _ in .seconds(600) }
        let task = Task { [rig, engine] in try await rig.download(engine: engine) }
        // The progress and the retry.
        await rig.clock.sleeping(2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(rig.folder.partialNames.isEmpty)
    }

    @Test("DL-7: a failure wakes the workers that wait for a retry")
    func drainsSleepers() async throws {
        let rig = DownloadRig(resource)
        rig.faults.inject(.status(500), into: .range(from: 1 << 20))
        let gated = GatedTransport(base: rig.transport) { $0.headers["Range"]?.hasPrefix("bytes=2097152-") == true }
        rig.faults.inject(.status(404), into: .range(from: 2 << 20))
        var engine = rig.engine(transport: gated)
        engine.environment.retryDelay = { _, _ in .seconds(600) }
        let task = Task { [rig, engine] in try await rig.download(engine: engine) }
        // The progress, the checkpoints, the retry, and the decision that brings another worker.
        await rig.clock.sleeping(4)
        rig.clock.advance(by: ConnectionRamp.interval)
        await gated.reached()
        gated.open()
        await #expect(throws: ModelDownloaderError.notFound) { try await task.value }
    }
}
