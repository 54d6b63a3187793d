import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Cancelling a download", .timeLimit(.minutes(1)))
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
        rig.faults.inject(.status(503), into: .range(from: 1 << 20))
        let gated = GatedTransport(base: rig.transport) { $0.headers["Range"]?.hasPrefix("bytes=2097152-") == true }
        rig.faults.inject(.status(404), into: .range(from: 2 << 20))
        var engine = rig.engine(transport: gated)
        engine.environment.retryDelay = { _, _ in .seconds(600) }
        let task = Task { [rig, engine] in try await rig.download(engine: engine) }
        // The progress, the checkpoints and the retry.
        await rig.clock.sleeping(3)
        gated.open()
        await #expect(throws: ModelDownloaderError.notFound) { try await task.value }
    }
}

/// A transport that holds some requests up until it is opened.
final class GatedTransport: HTTPTransport {
    private struct State {
        var isOpen = false
        var hasArrived = false
        var held: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var watchers: [CheckedContinuation<Void, Never>] = []
        var nextID = 0
    }

    private let base: any HTTPTransport
    private let holds: @Sendable (HTTPRequest) -> Bool
    private let state = Locked(State())

    init(base: any HTTPTransport, holds: @escaping @Sendable (HTTPRequest) -> Bool) {
        self.base = base
        self.holds = holds
    }

    func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws {
        if holds(request) { try await pass() }
        try await base.perform(request, receiver: receiver)
    }

    /// Returns once a request is held up.
    func reached() async {
        await withCheckedContinuation { continuation in
            let hasArrived = state.withLock { state in
                if !state.hasArrived { state.watchers.append(continuation) }
                return state.hasArrived
            }
            if hasArrived { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [:] }
            return Array(state.held.values)
        }
        for continuation in held { continuation.resume() }
    }

    private func pass() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { hold($0, id: id) }
        } onCancel: {
            let held = state.withLock { state in
                state.cancelled.insert(id)
                return state.held.removeValue(forKey: id)
            }
            held?.resume(throwing: CancellationError())
        }
    }

    private func hold(_ continuation: CheckedContinuation<Void, any Error>, id: Int) {
        let (answer, watchers) = state.withLock {
            state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
            state.hasArrived = true
            defer { state.watchers = [] }
            if state.cancelled.contains(id) { return (.failure(CancellationError()), state.watchers) }
            if state.isOpen { return (.success(()), state.watchers) }
            state.held[id] = continuation
            return (nil, state.watchers)
        }
        if let answer { continuation.resume(with: answer) }
        for watcher in watchers { watcher.resume() }
    }
}
