/// One run of a cold stream's body: starts with the first request for an event, ends when its owner goes away.
///
/// The iterator holds the only strong reference, the running task holds just the channel. So the run is cancelled when
/// the last copy of the iterator is released, which is what leaving a loop does.
package final class StreamProduction<Event: Sendable>: Sendable {
    package typealias Body = @Sendable (_ emit: @escaping @Sendable (Event) -> Void) async throws -> Void

    private enum State {
        case idle
        case running(Task<Void, Never>)
        case cancelledBeforeStart
    }

    private let body: Body
    private let channel: EventChannel<Event>
    private let state = Locked(State.idle)

    package init(body: @escaping Body, isFinal: @escaping @Sendable (Event) -> Bool) {
        self.body = body
        channel = EventChannel(isFinal: isFinal)
    }

    deinit {
        channel.abandon()
        if case .running(let task) = state.withLock({ $0 }) { task.cancel() }
    }

    /// The next event of the run; nil after its end.
    ///
    /// A cancelled caller cancels the run and still receives all that it sent, then `CancellationError`. A caller
    /// that was cancelled before the first event was asked for does not start the run at all.
    package func next() async throws -> Event? {
        try await withTaskCancellationHandler {
            startIfIdle()
            return try await channel.next()
        } onCancel: {
            cancel()
        }
    }

    private func startIfIdle() {
        state.withLock { state in
            guard case .idle = state else { return }
            state = .running(
                Task { [body, channel] in
                    do {
                        try await body { channel.send($0) }
                        channel.finish()
                    } catch {
                        channel.finish(throwing: error)
                    }
                })
        }
    }

    private func cancel() {
        channel.noteCancellation()
        let wasIdle = state.withLock { state in
            switch state {
            case .idle:
                state = .cancelledBeforeStart
                return true
            case .running(let task):
                task.cancel()
                return false
            case .cancelledBeforeStart:
                return false
            }
        }
        if wasIdle { channel.finish(throwing: CancellationError()) }
    }
}
