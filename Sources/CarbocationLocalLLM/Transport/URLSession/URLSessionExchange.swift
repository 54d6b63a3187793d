/// One request on its way through a session, and the task that waits for it.
final class URLSessionExchange: Sendable {
    private struct State {
        var isCancelled = false
        var hasStrayed: Bool
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let reception: Locked<ResponseReception>
    private let host: String
    private let route: HTTPRoute?
    private let state: Locked<State>

    init(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) {
        reception = Locked(ResponseReception(request, receiver: receiver))
        host = HTTPOrigin(request.url)?.host ?? ""
        route = request.route
        // Without a word about the peer it is not known to be the right one.
        state = Locked(State(hasStrayed: request.route != nil))
    }

    /// Sets who waits for the end.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    /// Keeps what is still queued from the receiver.
    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    /// Says whom the request went to, which the system tells after the response.
    func note(peers: [String?]) {
        guard let route, !peers.isEmpty else { return }
        let isKept = peers.allSatisfy { $0.flatMap(IPAddress.init).map(route.admits) ?? false }
        state.withLock { $0.hasStrayed = !isKept }
    }

    /// Hands something on; false if nothing more is wanted.
    func receive(_ body: (ResponseReception) -> Bool) -> Bool {
        guard !state.withLock({ $0.isCancelled }) else { return false }
        return reception.withLock { body($0) }
    }

    /// Ends the exchange for the task that waits.
    func end(_ error: (any Error)?) {
        let (isCancelled, hasStrayed, continuation) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.isCancelled, state.hasStrayed, state.continuation)
        }
        continuation?.resume(
            with: Result {
                try reception.withLock { reception in
                    if hasStrayed, !isCancelled, error == nil || reception.failure != nil {
                        throw HTTPTransportError.forbiddenPeer(host)
                    }
                    if let failure = reception.failure { throw failure }
                    if isCancelled { throw CancellationError() }
                    if let error { throw HTTPTransportError.urlSession(error, host: host) }
                    try reception.finish()
                }
            })
    }
}
