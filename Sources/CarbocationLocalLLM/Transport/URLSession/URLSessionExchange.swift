/// One request on its way through a session, and the task that waits for it.
final class URLSessionExchange: Sendable {
    private struct State {
        var isCancelled = false
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let reception: Locked<ResponseReception>
    private let host: String
    private let state = Locked(State())

    init(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) {
        reception = Locked(ResponseReception(request, receiver: receiver))
        host = HTTPOrigin(request.url)?.host ?? ""
    }

    /// Sets who waits for the end.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    /// Keeps what is still queued from the receiver.
    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    /// Hands something on; false if nothing more is wanted.
    func receive(_ body: (ResponseReception) -> Bool) -> Bool {
        guard !state.withLock({ $0.isCancelled }) else { return false }
        return reception.withLock { body($0) }
    }

    /// Ends the exchange for the task that waits.
    func end(_ error: (any Error)?) {
        let (isCancelled, continuation) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.isCancelled, state.continuation)
        }
        continuation?.resume(
            with: Result {
                try reception.withLock { reception in
                    if let failure = reception.failure { throw failure }
                    if isCancelled { throw CancellationError() }
                    if let error { throw HTTPTransportError.urlSession(error, host: host) }
                    try reception.finish()
                }
            })
    }
}
