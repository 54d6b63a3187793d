import CarbocationLocalLLM
import Foundation

/// A port of 127.0.0.1 that takes connections, and answers as a test says or not at all.
package final class LoopbackListener: Sendable {
    package let port: UInt16
    private let socket: Socket
    private let connections = Locked<[Socket]>([])

    /// Listens and lets every connection wait.
    package init() throws {
        socket = try Socket.listening(on: 0)
        port = try socket.port
    }

    /// Listens and sends `reply` on each connection as soon as something came, then what comes is dropped.
    package convenience init(reply: [UInt8]) throws {
        try self.init()
        Thread.detachNewThread { [socket, connections] in
            while let connection = socket.acceptConnection() {
                connections.withLock { $0.append(connection) }
                _ = connection.receive(limit: 4096)
                _ = connection.send(reply)
                if reply.isEmpty { connection.shutDown() }
            }
        }
    }

    deinit {
        socket.shutDown()
        connections.withLock { $0.forEach { $0.shutDown() } }
    }

    /// Whether a connection was made that nobody took yet.
    package var hasWaitingConnection: Bool { socket.isReadable }
}

extension LoopbackListener {
    /// Whether somebody takes connections on a port.
    package static func takesConnections(_ port: UInt16) -> Bool {
        (try? Socket.connected(to: port)) != nil
    }
}

/// A connection to a port of 127.0.0.1 that says nothing.
package final class LoopbackConnection: Sendable {
    private let socket: Socket

    package init(to port: UInt16) throws {
        socket = try Socket.connected(to: port)
    }

    package func close() {
        socket.shutDown()
    }
}
