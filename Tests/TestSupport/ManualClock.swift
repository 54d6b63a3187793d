import CarbocationLocalLLM

/// A clock whose time passes only when a test says so.
///
/// A test waits for the code under test to sleep, and then lets the time pass:
///
/// ```swift
/// let clock = ManualClock()
/// let work = Task { try await retry(on: clock) }
/// await clock.sleeping()
/// clock.advance(by: .seconds(5))
/// try await work.value
/// ```
///
/// Sleeps can be cancelled and may come from any number of tasks.
package final class ManualClock: Clock {
    /// A time, as what has passed since the clock was made.
    package struct Instant: InstantProtocol {
        /// The time since the clock was made.
        package var offset: Duration

        package init(offset: Duration = .zero) {
            self.offset = offset
        }

        package func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        package func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        package static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant()
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Int: Watcher] = [:]

        mutating func makeID() -> Int {
            defer { nextID += 1 }
            return nextID
        }
    }

    private let state = Locked(State())

    package init() {}

    /// The time.
    package var now: Instant { state.withLock { $0.now } }

    /// Any two times can be told apart.
    package var minimumResolution: Duration { .zero }

    /// How many tasks sleep now.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// When those wake up who sleep now, the first one first.
    package var deadlines: [Instant] { state.withLock { $0.sleepers.values.map(\.deadline).sorted() } }

    /// Lets time pass at once, and wakes those whose time has come, the earliest first.
    ///
    /// They no longer count as sleeping when this returns, but have run on only when a test waits for what they do.
    package func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            // Ids are in the order in which the sleeps began.
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns as soon as at least so many tasks sleep, or this one is cancelled.
    package func sleeping(_ count: Int = 1) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let passes = state.withLock { state in
                    if Task.isCancelled || state.sleepers.count >= count { return true }
                    state.watchers[id] = Watcher(count: count, continuation: continuation)
                    return false
                }
                if passes { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { $0.watchers.removeValue(forKey: id) }
            watcher?.continuation.resume()
        }
    }

    /// Waits until the time is advanced to a deadline.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                park(Sleeper(deadline: deadline, continuation: continuation), as: id)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func park(_ sleeper: Sleeper, as id: Int) {
        let outcome = state.withLock { state -> (result: Result<Void, any Error>?, watchers: [Watcher]) in
            // A cancellation that came before this lock found no sleeper to wake, but is seen here.
            guard !Task.isCancelled else { return (.failure(CancellationError()), []) }
            guard sleeper.deadline > state.now else { return (.success(()), []) }
            state.sleepers[id] = sleeper
            let reached = state.watchers.filter { $0.value.count <= state.sleepers.count }
            for id in reached.keys { state.watchers[id] = nil }
            return (nil, reached.map(\.value))
        }
        if let result = outcome.result { sleeper.continuation.resume(with: result) }
        for watcher in outcome.watchers { watcher.continuation.resume() }
    }
}
