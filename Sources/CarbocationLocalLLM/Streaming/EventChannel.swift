/// An unbounded queue between one producer and those who await its events.
///
/// Every event sent before the end is delivered exactly once and in order, however late it is asked for. Unlike
/// `AsyncThrowingStream`, whose iterator answers a cancelled task with the nil of a normal end, waiting here does not
/// look at cancellation at all: the consumer cancels the producer, and what comes out of that is delivered like
/// everything else.
package final class EventChannel<Event: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Event?, any Error>

    private enum Ending {
        case normal
        case failure(any Error)
        /// Nobody listens any more.
        case abandoned
    }

    private struct State {
        var buffer = FIFO<Event>()
        var waiters = FIFO<Waiter>()
        var ending: Ending?
        var wasCancelled = false
        var sawFinalEvent = false
        var endWasDelivered = false
    }

    private let state = Locked(State())
    private let isFinal: @Sendable (Event) -> Bool

    /// Creates a channel.
    ///
    /// `isFinal` tells the event that proves a success: once it was sent, a cancellation comes too late.
    package init(isFinal: @escaping @Sendable (Event) -> Bool) {
        self.isFinal = isFinal
    }

    /// Adds an event; without effect after the end.
    package func send(_ event: Event) {
        let isFinal = isFinal(event)
        let waiter = state.withLock { state -> Waiter? in
            guard state.ending == nil else { return nil }
            if isFinal { state.sawFinalEvent = true }
            if let waiter = state.waiters.popFirst() { return waiter }
            state.buffer.append(event)
            return nil
        }
        waiter?.resume(returning: event)
    }

    /// Ends the events, with an error if there is one; only the first call counts.
    package func finish(throwing error: (any Error)? = nil) {
        end { state in
            if state.wasCancelled, !state.sawFinalEvent { return .failure(CancellationError()) }
            return error.map(Ending.failure) ?? .normal
        }
    }

    /// Makes the end a `CancellationError`, unless the final event was sent or the producer has failed already.
    package func noteCancellation() {
        state.withLock { state in
            guard !state.wasCancelled else { return }
            state.wasCancelled = true
            // The producer ended, but without a success that the consumer could take it for.
            if case .normal = state.ending, !state.sawFinalEvent, !state.endWasDelivered {
                state.ending = .failure(CancellationError())
            }
        }
    }

    /// Drops what is buffered and what will still be sent, because nobody listens.
    package func abandon() {
        end { state in
            state.buffer = FIFO()
            return .abandoned
        }
    }

    /// The next event, waiting for it if need be; nil after the end.
    ///
    /// An error is thrown once, after the last event.
    package func next() async throws -> Event? {
        if let event = state.withLock({ $0.buffer.popFirst() }) { return event }
        return try await withCheckedThrowingContinuation { waiter in
            let outcome = state.withLock { state -> Result<Event?, any Error>? in
                if let event = state.buffer.popFirst() { return .success(event) }
                guard let ending = state.ending else {
                    state.waiters.append(waiter)
                    return nil
                }
                state.endWasDelivered = true
                guard case .failure(let error) = ending else { return .success(nil) }
                state.ending = .normal
                return .failure(error)
            }
            if let outcome { waiter.resume(with: outcome) }
        }
    }

    private func end(_ decide: (inout State) -> Ending) {
        var (waiters, error) = state.withLock { state -> (FIFO<Waiter>, (any Error)?) in
            guard state.ending == nil else { return (FIFO(), nil) }
            let ending = decide(&state)
            let waiters = state.waiters
            state.waiters = FIFO()
            state.ending = ending
            state.endWasDelivered = !waiters.isEmpty
            // The first of those who wait gets the error, the others the nil that follows it.
            guard case .failure(let error) = ending, !waiters.isEmpty else { return (waiters, nil) }
            state.ending = .normal
            return (waiters, error)
        }
        if let error { waiters.popFirst()?.resume(throwing: error) }
        while let waiter = waiters.popFirst() { waiter.resume(returning: nil) }
    }
}
