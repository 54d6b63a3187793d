import Foundation

/// Lets callers that want the same thing at the same time share one piece of work.
///
/// The work goes on until it ends or the last caller has been cancelled.
final class SharedTransfers: Sendable {
    private let running = Locked<[String: SharedTransfer]>([:])

    /// Joins the running work of this name, or starts it.
    ///
    /// - Parameters:
    ///   - name: Says what the work is about. Its result must be of the same type for all callers.
    ///   - onProgress: Gets the progress from now on.
    ///   - work: What to do; it is given where to report progress.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work. A caller that is cancelled gets `CancellationError`, at once if others remain,
    ///   else when the work has ended.
    func run<Value: Sendable>(
        _ name: String, onProgress: @escaping @Sendable (DownloadProgress) -> Void,
        work: @escaping @Sendable (_ report: @escaping @Sendable (DownloadProgress) -> Void) async throws -> Value
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let (transfer, ticket) = running.withLock { running in
                if let transfer = running[name] { return (transfer, transfer.join(onProgress)) }
                let transfer = SharedTransfer()
                running[name] = transfer
                return (transfer, transfer.join(onProgress))
            }
            guard let ticket else {
                // All who wanted it were cancelled and it is coming to its end; this caller wants it from the start.
                await transfer.ended()
                continue
            }
            transfer.startOnce { [self] in
                defer { running.withLock { $0[name] = nil } }
                return try await work { transfer.report($0) }
            }
            guard let value = try await transfer.value(for: ticket) as? Value else {
                preconditionFailure("one name for results of two types")
            }
            return value
        }
    }
}

/// One piece of work and those who wait for it.
private final class SharedTransfer: Sendable {
    typealias Ticket = Int

    private struct Caller {
        var onProgress: @Sendable (DownloadProgress) -> Void
        var continuation: CheckedContinuation<any Sendable, any Error>?
    }

    private struct State {
        var callers: [Ticket: Caller] = [:]
        var nextTicket = 0
        var task: Task<Void, Never>?
        var isStopping = false
        var result: Result<any Sendable, any Error>?
        var lastProgress: DownloadProgress?
        var endWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Nil when the work is being given up.
    func join(_ onProgress: @escaping @Sendable (DownloadProgress) -> Void) -> Ticket? {
        let (ticket, progress) = state.withLock { state -> (Ticket?, DownloadProgress?) in
            guard !state.isStopping, state.result == nil else { return (nil, nil) }
            state.nextTicket += 1
            state.callers[state.nextTicket] = Caller(onProgress: onProgress)
            return (state.nextTicket, state.lastProgress)
        }
        if let progress { onProgress(progress) }
        return ticket
    }

    func startOnce(_ work: @escaping @Sendable () async throws -> any Sendable) {
        state.withLock { state in
            guard state.task == nil else { return }
            state.task = Task {
                do { finish(.success(try await work())) } catch { finish(.failure(error)) }
            }
            if state.isStopping { state.task?.cancel() }
        }
    }

    func report(_ progress: DownloadProgress) {
        let callers = state.withLock { state in
            state.lastProgress = progress
            return state.callers.values.map(\.onProgress)
        }
        for onProgress in callers { onProgress(progress) }
    }

    func value(for ticket: Ticket) async throws -> any Sendable {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, for: ticket) }
        } onCancel: {
            leave(ticket)
        }
    }

    /// Waits until the work has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.result == nil { state.endWaiters.append(continuation) }
                return state.result != nil
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func wait(_ continuation: CheckedContinuation<any Sendable, any Error>, for ticket: Ticket) {
        let answer = state.withLock { state -> Result<any Sendable, any Error>? in
            if let result = state.result { return result }
            guard state.callers[ticket] != nil else { return .failure(CancellationError()) }
            state.callers[ticket]?.continuation = continuation
            return nil
        }
        if let answer { continuation.resume(with: answer) }
    }

    /// Takes a cancelled caller out.
    ///
    /// The last one stays until the work has ended, so that nothing goes on behind it.
    private func leave(_ ticket: Ticket) {
        let continuation = state.withLock { state -> CheckedContinuation<any Sendable, any Error>? in
            guard state.result == nil, let caller = state.callers[ticket] else { return nil }
            if state.callers.count == 1 {
                state.isStopping = true
                state.task?.cancel()
                return nil
            }
            state.callers[ticket] = nil
            return caller.continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func finish(_ result: Result<any Sendable, any Error>) {
        let (continuations, waiters) = state.withLock { state in
            state.result = result
            defer { (state.callers, state.endWaiters) = ([:], []) }
            return (state.callers.values.compactMap(\.continuation), state.endWaiters)
        }
        for continuation in continuations { continuation.resume(with: result) }
        for waiter in waiters { waiter.resume() }
    }
}
