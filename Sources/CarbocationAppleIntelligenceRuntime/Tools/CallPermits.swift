import CarbocationLocalLLM

/// Lets a number of calls run at the same time, and the others wait in the order in which they came.
final class CallPermits: Sendable {
    private struct State {
        var free: Int
        var waiting: [OneShot<Bool>] = []
    }

    private let state: Locked<State>

    /// - Parameter count: How many calls run at the same time; at least 1.
    init(_ count: Int) {
        state = Locked(State(free: max(1, count)))
    }

    /// How many calls wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits for a permit, which is to be released.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; then there is no permit.
    func acquire() async throws {
        // True with a permit, false when the call gave up before.
        let turn = OneShot<Bool>()
        let isFree = state.withLock { state -> Bool in
            guard state.free > 0 else {
                state.waiting.append(turn)
                return false
            }
            state.free -= 1
            return true
        }
        if isFree { turn.resolve(true) }
        let isMine = await withTaskCancellationHandler {
            await turn.value()
        } onCancel: {
            withdraw(turn)
        }
        guard isMine else { throw CancellationError() }
        guard !Task.isCancelled else {
            release()
            throw CancellationError()
        }
    }

    /// Gives a permit back.
    func release() {
        let next = state.withLock { state -> OneShot<Bool>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resolve(true)
    }

    /// Removes a call that still waits.
    private func withdraw(_ turn: OneShot<Bool>) {
        let isWithdrawn = state.withLock { state -> Bool in
            guard let index = state.waiting.firstIndex(where: { $0 === turn }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        if isWithdrawn { turn.resolve(false) }
    }
}
