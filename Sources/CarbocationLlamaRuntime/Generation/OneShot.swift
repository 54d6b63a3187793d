import CarbocationLocalLLM

/// A value that is set once, by any thread, and awaited by one task.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case resolved(Value)
    }

    private let state = Locked(State.empty)

    /// Sets the value; further values are dropped.
    func resolve(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty:
                state = .resolved(value)
                return nil
            case .waiting(let waiter):
                state = .resolved(value)
                return waiter
            case .resolved:
                return nil
            }
        }
        waiter?.resume(returning: value)
    }

    /// The value, as soon as it is set.
    ///
    /// Awaited by one task only.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if case .resolved(let value) = state { return value }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
