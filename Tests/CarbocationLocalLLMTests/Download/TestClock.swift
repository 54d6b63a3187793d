import Foundation

@testable import CarbocationLocalLLM

/// Time that passes only when a test says so.
///
/// Waits for retries end at once and are kept.
final class TestClock: Sendable {
    /// Waits this long or longer are those for retries, see `retryDelay`.
    private static let retryBase = Duration.seconds(1_000_000)

    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var nextID = 0
        var retries: [Duration] = []
        var sleepWatchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// A date that servers' dates are compared with.
    static let date = Date(timeIntervalSince1970: 1_800_000_000)

    /// The waits for retries so far.
    var retries: [Duration] { state.withLock { $0.retries } }

    /// As downloads see it.
    var downloadClock: DownloadClock {
        var clock = DownloadClock(ContinuousClock(), date: { Self.date })
        clock.now = { self.state.withLock { $0.now } }
        clock.sleep = { try await self.sleep($0) }
        return clock
    }

    /// Marks a wait as one for a retry: as many seconds as the server asked for, else the number of the retry.
    static let retryDelay: @Sendable (Int, TimeInterval?) -> Duration = { retry, asked in
        retryBase + .seconds(asked ?? Double(retry))
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let ids = state.sleepers.filter { $0.value.deadline <= state.now }.keys
            return ids.compactMap { state.sleepers.removeValue(forKey: $0) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns once so many tasks wait for the time to pass.
    func sleeping(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.sleepers.count < count { state.sleepWatchers.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isReached { continuation.resume() }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration < Self.retryBase else {
            return state.withLock { $0.retries.append(duration - Self.retryBase) }
        }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { park($0, id: id, duration: duration) }
        } onCancel: {
            wake(id)
        }
    }

    private func park(_ continuation: CheckedContinuation<Void, any Error>, id: Int, duration: Duration) {
        let (isCancelled, watchers) = state.withLock { state in
            guard !state.cancelled.contains(id) else { return (true, [CheckedContinuation<Void, Never>]()) }
            state.sleepers[id] = Sleeper(deadline: state.now + duration, continuation: continuation)
            let reached = state.sleepWatchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
            state.sleepWatchers.removeAll { $0.count <= state.sleepers.count }
            return (false, reached)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
    }

    private func wake(_ id: Int) {
        let sleeper = state.withLock { state in
            state.cancelled.insert(id)
            return state.sleepers.removeValue(forKey: id)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
