import CarbocationLocalLLM

/// Something to wait for until it happened, without looking at cancellation.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Lets everybody pass, now and later.
    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the gate is open.
    func pass() async {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(waiter) }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        }
    }

    /// Returns once the task is cancelled.
    static func passOnCancellation() async {
        let gate = Gate()
        await withTaskCancellationHandler {
            await gate.pass()
        } onCancel: {
            gate.open()
        }
    }
}
