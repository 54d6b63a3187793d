/// What a test server has been asked and what became of it.
public final class ServerLog: Sendable {
    private let arrived = Watched<[ServerExchange]>([])

    /// Makes an empty log.
    public init() {}

    /// The exchanges, in the order in which their requests arrived.
    public var exchanges: [ServerExchange] { arrived.value }

    /// The requests, in the order in which they arrived.
    public var requests: [ServerRequest] { exchanges.map(\.request) }

    /// Returns once so many requests have arrived.
    ///
    /// - Parameter count: How many.
    /// - Returns: The exchanges so far.
    /// - Throws: `CancellationError`.
    @discardableResult
    public func received(_ count: Int) async throws -> [ServerExchange] {
        try await arrived.wait { $0.count >= count }
    }

    func begin(_ request: ServerRequest) -> ServerExchange {
        let exchange = ServerExchange(request: request)
        arrived.update { $0.append(exchange) }
        return exchange
    }
}

/// One request and what became of its reply.
public final class ServerExchange: Sendable {
    /// The request.
    public let request: ServerRequest

    private let ending = Watched<Outcome?>(nil)

    init(request: ServerRequest) {
        self.request = request
    }

    /// How a reply ended, with the bytes of body that were handed to the system before.
    public enum Outcome: Sendable, Hashable {
        /// All of it was sent.
        case sent(Int64)

        /// The reply was made to end early.
        case cut(Int64)

        /// The client, or the server as a whole, went away first.
        case clientClosed(Int64)
    }

    /// How the reply ended, or nil while it is going on.
    public var outcome: Outcome? { ending.value }

    /// Waits for the end of the reply.
    ///
    /// - Returns: How it ended.
    /// - Throws: `CancellationError`.
    public func ended() async throws -> Outcome {
        try await ending.wait { $0 != nil } ?? .cut(0)
    }

    func end(_ outcome: Outcome) {
        ending.update { $0 = outcome }
    }
}
