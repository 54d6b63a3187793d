import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Locks of downloads", .timeLimit(.minutes(10)))
struct DownloadLocksTests {
    private let resource = ServerResource.model(kibibytes: 1500)

    @Test("DL-14: another process's lock is awaited, then the state is read again")
    func otherProcess() async throws {
        let rig = DownloadRig(resource)
        try LocalFileSystem().createFolder(rig.folder.partials)
        guard case .acquired(let lock) = try LocalFileSystem().tryLock(rig.files.lock) else {
            Issue.record("no lock")
            return
        }
        let task = Task { [rig] in try await rig.download() }
        await rig.clock.sleeping()
        rig.clock.advance(by: .seconds(1))
        await rig.clock.sleeping()
        #expect(rig.ranges.isEmpty)
        // Meanwhile the other process has fetched nearly everything.
        try rig.leave(resource.content.bytes) { sidecar in
            (sidecar.totalBytes, sidecar.chunkSize, sidecar.doneChunks) = (1500 << 10, 1 << 20, [0])
        }
        lock.release()
        rig.clock.advance(by: .seconds(1))
        #expect(try await task.value.sha256 == resource.content.sha256)
        #expect(rig.ranges == ["bytes=1048576-1535999"])
        #expect(!rig.folder.partialNames.contains { $0.hasSuffix(".lock") })
    }

    @Test("DL-14: waiting for a lock can be cancelled")
    func cancelled() async throws {
        let rig = DownloadRig(resource)
        try LocalFileSystem().createFolder(rig.folder.partials)
        guard case .acquired(let lock) = try LocalFileSystem().tryLock(rig.files.lock) else {
            Issue.record("no lock")
            return
        }
        let task = Task { [rig] in try await rig.download() }
        await rig.clock.sleeping()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        lock.release()
        #expect(rig.folder.partialNames.isEmpty)
        #expect(try await rig.download().sha256 == resource.content.sha256)
    }

    @Test("a file lock excludes others, goes with its release, and leaves no file")
    func fileLock() throws {
        let folder = DownloadFolder()
        let url = folder.url("x.lock")
        let fileSystem = LocalFileSystem()
        guard case .acquired(let lock) = try fileSystem.tryLock(url) else {
            Issue.record("no lock")
            return
        }
        guard case .busy = try fileSystem.tryLock(url) else {
            Issue.record("two locks")
            return
        }
        lock.release()
        lock.release()
        #expect(!FileManager.default.fileExists(atPath: url.path))
        guard case .acquired(let second) = try fileSystem.tryLock(url) else {
            Issue.record("no second lock")
            return
        }
        second.release()
    }

    @Test("turns are given in the order of asking, and a cancelled wait takes none")
    func mutex() async throws {
        let mutex = KeyedMutex()
        try await mutex.acquire("a")
        try await mutex.acquire("b")
        let order = Locked<[Int]>([])
        let first = Task {
            try await mutex.acquire("a")
            order.withLock { $0.append(1) }
            mutex.release("a")
        }
        let cancelled = Task { try await mutex.acquire("a") }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(order.withLock { $0 }.isEmpty)
        mutex.release("a")
        try await first.value
        #expect(order.withLock { $0 } == [1])
        try await mutex.acquire("a")
        mutex.release("a")
        mutex.release("b")
    }
}

@Suite("SharedTransfers", .timeLimit(.minutes(10)))
struct SharedTransfersTests {
    private let resource = ServerResource.model(kibibytes: 2500)

    private func gated(_ rig: DownloadRig) -> GatedTransport {
        GatedTransport(base: rig.transport) { $0.headers["Range"]?.hasPrefix("bytes=1048576-") == true }
    }

    @Test("DL-14: a second caller joins the running transfer, gets its result and its own progress")
    func join() async throws {
        let rig = DownloadRig(resource)
        let transport = gated(rig)
        let engine = rig.engine(transport: transport)
        let reports = Locked([0, 0])
        let first = Task { [rig] in
            try await rig.download(engine: engine) { _ in reports.withLock { $0[0] += 1 } }
        }
        await transport.reached()
        let second = Task { [rig] in
            try await rig.download(engine: engine) { _ in reports.withLock { $0[1] += 1 } }
        }
        while reports.withLock({ $0[1] }) == 0 { await Task.yield() }
        transport.open()
        let results = try await (first.value, second.value)
        #expect(results.0 == results.1)
        #expect(rig.askedRanges.count { $0.lowerBound == 0 } == 1)
        #expect(reports.withLock { $0.allSatisfy { $0 >= 2 } })
    }

    @Test("DL-14: a joined transfer must still be what this caller expects")
    func expectation() async throws {
        let rig = DownloadRig(resource)
        let transport = gated(rig)
        let engine = rig.engine(transport: transport)
        let first = Task { [rig] in try await rig.download(engine: engine) }
        await transport.reached()
        let joined = Locked(false)
        let second = Task { [rig] in
            try await rig.download(sha256: String(repeating: "0", count: 64), engine: engine) { _ in
                joined.withLock { $0 = true }
            }
        }
        while !joined.withLock({ $0 }) { await Task.yield() }
        transport.open()
        #expect(try await first.value.sha256 == resource.content.sha256)
        await #expect(throws: ModelDownloaderError.self) { try await second.value }
    }

    @Test("DL-14: the transfer goes on while one caller wants it, and stops with the last")
    func cancellation() async throws {
        let rig = DownloadRig(resource)
        let transport = gated(rig)
        let engine = rig.engine(transport: transport)
        let joined = Locked(false)
        let first = Task { [rig] in try await rig.download(engine: engine) }
        await transport.reached()
        let second = Task { [rig] in
            try await rig.download(engine: engine) { _ in joined.withLock { $0 = true } }
        }
        while !joined.withLock({ $0 }) { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(try rig.store.sidecar()?.complete == false)
        transport.open()
        #expect(try await rig.download(engine: engine).sha256 == resource.content.sha256)
    }

    @Test("a failure reaches all callers, and the next call begins anew")
    func failure() async throws {
        struct Failure: Error {}
        let transfers = SharedTransfers()
        let starts = Locked(0)
        for expected in 1...2 {
            await #expect(throws: Failure.self) {
                try await transfers.run("x", onProgress: { _ in }) { _ in
                    starts.withLock { $0 += 1 }
                    throw Failure()
                } as Int
            }
            #expect(starts.withLock { $0 } == expected)
        }
    }
}
