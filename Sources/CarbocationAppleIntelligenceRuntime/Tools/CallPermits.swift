import CarbocationLocalLLM

/// Lets a number of calls run at the same time, and the others wait in the order in which they came.
final class CallPermits: Sendable {
    private struct State {
        var free: Int
        var waiting: [OneShot<Void>] = []
    }

    private let state: Locked<State>

    /// - Parameter count: How many calls run at the same time; at least 1.
    init(_ count: Int) {
        state = Locked(State(free: max(1, count)))
    }

    /// Waits for a permit, which is to be released.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; then there is no permit.
    func acquire() async throws {
        let turn = OneShot<Void>()
        let isFree = state.withLock { state -> Bool in
            guard state.free > 0 else {
                state.waiting.append(turn)
                return false
            }
            state.free -= 1
            return true
        }
        if isFree { turn.resolve(()) }
        await turn.value()
        // Those who have permits are cancelled as well, so the wait was short.
        guard !Task.isCancelled else {
            release()
            throw CancellationError()
        }
    }

    /// Gives a permit back.
    func release() {
        let next = state.withLock { state -> OneShot<Void>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resolve(())
    }
}
