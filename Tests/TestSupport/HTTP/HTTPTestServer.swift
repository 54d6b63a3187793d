public import Foundation

/// A real HTTP/1.1 server on 127.0.0.1, for tests and for trying things by hand.
///
/// Each connection has a thread and stays open for further requests. Every request is logged, and every reply can be
/// broken on purpose, see ``ServerFault``.
///
/// ```swift
/// let server = try HTTPTestServer { _ in .text("hello") }
/// server.faults.inject(.drop(after: 2), times: 1)
/// ```
///
/// The server stops when the last reference to it goes.
public final class HTTPTestServer: Sendable {
    /// Answers a request; called on the connection's thread, so it may block.
    public typealias Handler = @Sendable (ServerRequest) -> ServerReply

    /// The port that the server listens on.
    public let port: UInt16

    /// What was asked and what became of it.
    public let log: ServerLog

    /// What to break.
    public let faults: FaultPlan

    private let connections: ServerConnections

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for one that is free.
    ///   - log: Where to log; several servers may share a log.
    ///   - faults: What to break.
    ///   - handler: Answers the requests.
    /// - Throws: ``SystemCallFailure`` when the port cannot be had.
    public init(
        port: UInt16 = 0, log: ServerLog = ServerLog(), faults: FaultPlan = FaultPlan(), handler: @escaping Handler
    ) throws {
        let listener = try Socket.listening(on: port)
        self.port = try listener.port
        self.log = log
        self.faults = faults
        let site = ServerSite(port: self.port, log: log, faults: faults, handler: handler)
        connections = try ServerConnections(site: site)
        connections.start(listener)
    }

    /// Starts a server that serves one resource for each path and 404 for all others.
    ///
    /// - Parameter resources: The resources, by percent-encoded path.
    /// - Throws: ``SystemCallFailure`` when no port can be had.
    public convenience init(resources: [String: ServerResource]) throws {
        try self.init { request in
            resources[request.path]?.reply(to: request) ?? .text("nothing here\n", status: 404)
        }
    }

    deinit {
        connections.stop()
    }

    /// The requests so far, in the order in which they arrived.
    public var requests: [ServerRequest] { log.requests }

    /// How many connections have been accepted.
    public var connectionCount: Int { connections.accepted }

    /// The address of the server, without a path.
    public var url: URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = Int(port)
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// The address of a path with an optional query, both percent-encoded.
    public func url(_ pathAndQuery: String) -> URL {
        URL(string: pathAndQuery, relativeTo: url)?.absoluteURL ?? url
    }

    /// Ends all connections and accepts no more.
    public func stop() {
        connections.stop()
    }
}

/// What the connections of a server have in common.
struct ServerSite: Sendable {
    let port: UInt16
    let log: ServerLog
    let faults: FaultPlan
    let handler: HTTPTestServer.Handler

    func reply(to request: ServerRequest) -> ServerReply {
        faults.apply(to: handler(request), for: request)
    }
}
