/// Lets the workers of one file stop together: after a failure they finish what they are at and begin nothing new.
final class TransferControl: Sendable {
    private struct State {
        var isDraining = false
        var sleepers: [UInt64: Task<Void, any Error>] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Whether workers should begin nothing new.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Asks the workers to stop, those first that only wait.
    func drain() {
        let sleepers = state.withLock { state in
            state.isDraining = true
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.cancel() }
    }

    /// Waits before a retry.
    ///
    /// - Returns: Whether the time has passed; false when the workers should stop.
    /// - Throws: `CancellationError` when this task was cancelled.
    func wait(_ time: Duration, clock: DownloadClock) async throws -> Bool {
        let sleeper = Task { try await clock.sleep(time) }
        let id = state.withLock { state -> UInt64? in
            guard !state.isDraining else { return nil }
            state.nextID += 1
            state.sleepers[state.nextID] = sleeper
            return state.nextID
        }
        guard let id else {
            sleeper.cancel()
            return false
        }
        defer { state.withLock { $0.sleepers[id] = nil } }
        return try await withTaskCancellationHandler {
            do {
                try await sleeper.value
                return true
            } catch {
                try Task.checkCancellation()
                return false
            }
        } onCancel: {
            sleeper.cancel()
        }
    }
}
