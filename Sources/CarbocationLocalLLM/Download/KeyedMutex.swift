import Foundation

/// Exclusive turns by name, in the order of asking, for tasks of this process.
///
/// Works where the volume has no file locks, and between tasks that share the process's file locks.
final class KeyedMutex: Sendable {
    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// Who waits for each name that is taken.
        var waiting: [String: [Waiter]] = [:]
        var cancelled: Set<UInt64> = []
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Waits for the turn.
    ///
    /// - Throws: `CancellationError`; then the turn was not taken.
    func acquire(_ name: String) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isAcquired = await withTaskCancellationHandler {
            await withCheckedContinuation { enqueue(Waiter(id: id, continuation: $0), for: name) }
        } onCancel: {
            cancel(id, for: name)
        }
        state.withLock { state in _ = state.cancelled.remove(id) }
        guard isAcquired else { throw CancellationError() }
    }

    /// Gives the turn to the next task.
    func release(_ name: String) {
        let next = state.withLock { state -> Waiter? in
            guard var waiters = state.waiting[name], !waiters.isEmpty else {
                state.waiting[name] = nil
                return nil
            }
            let next = waiters.removeFirst()
            state.waiting[name] = waiters
            return next
        }
        next?.continuation.resume(returning: true)
    }

    private func enqueue(_ waiter: Waiter, for name: String) {
        let answer = state.withLock { state -> Bool? in
            if state.cancelled.contains(waiter.id) { return false }
            if state.waiting[name] == nil {
                state.waiting[name] = []
                return true
            }
            state.waiting[name]?.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }

    private func cancel(_ id: UInt64, for name: String) {
        let waiter = state.withLock { state -> Waiter? in
            state.cancelled.insert(id)
            guard let index = state.waiting[name]?.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting[name]?.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}
