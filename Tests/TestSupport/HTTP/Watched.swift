import CarbocationLocalLLM

/// A value that changes on other threads and can be waited on without polling.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let isSatisfied: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var nextID = 0
    }

    private let state: Locked<State>

    init(_ value: Value) {
        state = Locked(State(value: value))
    }

    var value: Value {
        state.withLock { $0.value }
    }

    /// Changes the value and wakes whoever waited for what it has become.
    @discardableResult
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        let (result, value, satisfied) = state.withLock { state in
            let result = body(&state.value)
            let value = state.value
            let ids = state.waiters.filter { $0.value.isSatisfied(value) }.keys
            return (result, value, ids.compactMap { state.waiters.removeValue(forKey: $0) })
        }
        for waiter in satisfied { waiter.continuation.resume(returning: value) }
        return result
    }

    /// Returns the value as soon as it satisfies the condition; throws `CancellationError` when cancelled first.
    func wait(until isSatisfied: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(Waiter(isSatisfied: isSatisfied, continuation: continuation), id: id)
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func enter(_ waiter: Waiter, id: Int) {
        let outcome: Result<Value, any Error>? = state.withLock { state in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            if waiter.isSatisfied(state.value) { return .success(state.value) }
            state.waiters[id] = waiter
            return nil
        }
        if let outcome { waiter.continuation.resume(with: outcome) }
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.cancelled.insert(id) }
            return waiter
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
