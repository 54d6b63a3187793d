import CarbocationLocalLLM
import Foundation

/// Speaks the protocol of llama.cpp's RPC server on a port of 127.0.0.1, for one connection after the other.
///
/// Its devices have no room for anything, so that every load fails in order; it remembers what it was asked.
package final class ScriptedRPCServer: Sendable {
    /// What tells one server from another.
    package struct Facts: Sendable {
        package var patch: UInt8 = 0
        package var devices: UInt32 = 1
        package var alignment: UInt64 = 64
        package var maximumSize: UInt64 = 1 << 40
        package var memory: UInt64 = 1 << 30
        /// Of that memory, what nobody uses at the moment.
        package var freeMemory: UInt64 = 1 << 29

        package init() {}
    }

    package enum Request: UInt8 {
        case allocateBuffer = 0
        case alignment = 1
        case maximumSize = 2
        case deviceMemory = 11
        case allocationSize = 13
        case hello = 14
        case deviceCount = 15
    }

    private struct State {
        var facts: Facts
        var requests: [Request: Int] = [:]
    }

    package let port: UInt16
    private let socket: Socket
    private let state: Locked<State>
    private let connection = Locked<Socket?>(nil)

    package init(_ facts: Facts = Facts()) throws {
        socket = try Socket.listening(on: 0)
        port = try socket.port
        state = Locked(State(facts: facts))
        Thread.detachNewThread { [socket, state, connection] in
            while let next = socket.acceptConnection() {
                connection.withLock { $0 = next }
                Self.serve(next, state)
            }
        }
    }

    deinit {
        socket.shutDown()
        connection.withLock { $0?.shutDown() }
    }

    /// Is another server from the next connection on.
    package func become(_ facts: Facts) {
        state.withLock { $0 = State(facts: facts) }
    }

    /// How often it was asked that since it became what it is.
    package func count(of request: Request) -> Int {
        state.withLock { $0.requests[request] ?? 0 }
    }

    private static func serve(_ connection: Socket, _ state: Locked<State>) {
        while let command = bytes(1, from: connection), let size = bytes(8, from: connection),
            bytes(size.reversed().reduce(0) { $0 << 8 | Int($1) }, from: connection) != nil
        {
            guard let request = command.first.flatMap(Request.init(rawValue:)) else { continue }
            let facts = state.withLock { state in
                state.requests[request, default: 0] += 1
                return state.facts
            }
            let answer = answer(to: request, facts)
            guard connection.send(number(UInt64(answer.count)) + answer) else { return }
        }
    }

    private static func answer(to request: Request, _ facts: Facts) -> [UInt8] {
        switch request {
        case .allocateBuffer: number(0 as UInt64) + number(0 as UInt64)
        case .alignment: number(facts.alignment)
        case .maximumSize: number(facts.maximumSize)
        case .deviceMemory: number(facts.freeMemory) + number(facts.memory)
        case .allocationSize: number(0 as UInt64)
        case .hello: [7, 0, facts.patch] + [UInt8](repeating: 0, count: 25)
        case .deviceCount: number(facts.devices)
        }
    }

    private static func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// Exactly so many bytes; nil when the connection ends before.
    private static func bytes(_ count: Int, from connection: Socket) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let received = connection.receive(limit: count - bytes.count)
            guard !received.isEmpty else { return nil }
            bytes += received
        }
        return bytes
    }
}
