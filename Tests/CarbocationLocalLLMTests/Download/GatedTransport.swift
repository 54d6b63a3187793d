@testable import CarbocationLocalLLM

/// A transport that holds some requests up until it is opened.
final class GatedTransport: HTTPTransport {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var held: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var watchers: [(arrivals: Int, continuation: CheckedContinuation<Void, Never>)] = []
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

    /// Returns once so many requests have been held up.
    func reached(times arrivals: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.arrivals < arrivals { state.watchers.append((arrivals, continuation)) }
                return state.arrivals >= arrivals
            }
            if isReached { continuation.resume() }
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
        let (answer, reached) = state.withLock { state in
            state.arrivals += 1
            let reached = state.watchers.filter { $0.arrivals <= state.arrivals }
            state.watchers.removeAll { $0.arrivals <= state.arrivals }
            return (Self.answer(id, continuation, &state), reached)
        }
        if let answer { continuation.resume(with: answer) }
        for watcher in reached { watcher.continuation.resume() }
    }

    /// Nil if the request is to wait.
    private static func answer(
        _ id: Int, _ continuation: CheckedContinuation<Void, any Error>, _ state: inout State
    ) -> Result<Void, any Error>? {
        if state.cancelled.contains(id) { return .failure(CancellationError()) }
        if state.isOpen { return .success(()) }
        state.held[id] = continuation
        return nil
    }
}
