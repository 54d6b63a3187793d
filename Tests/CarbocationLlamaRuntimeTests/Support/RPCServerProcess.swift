import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

/// One of llama.cpp's RPC servers on a port of its own, ended with its last user.
final class RPCServerProcess: Sendable {
    // The server cannot be told to choose a port, so it is told one that nobody else is given.
    private let reservation: ReservedPort
    private let process: Locked<Process>
    private let ended: OneShot<Void>
    private let identifier: pid_t

    static var path: String? {
        ProcessInfo.processInfo.environment["LLAMA_TEST_RPC_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
    }

    enum Failure: Error { case noTool, noStart }

    /// Starts a server and waits until it takes connections.
    static func started() async throws -> RPCServerProcess {
        try await RPCServerProcess(on: ReservedPort())
    }

    /// Starts another server at the address of this one, which has ended.
    func restarted() async throws -> RPCServerProcess {
        try await RPCServerProcess(on: reservation)
    }

    private init(on reservation: ReservedPort) async throws {
        guard let path = Self.path else { throw Failure.noTool }
        let started = Process()
        started.executableURL = URL(fileURLWithPath: path)
        started.arguments = ["--host", "127.0.0.1", "--port", String(reservation.number), "--threads", "1"]
        started.standardOutput = FileHandle.nullDevice
        started.standardError = FileHandle.nullDevice
        let ended = OneShot<Void>()
        started.terminationHandler = { _ in ended.resolve(()) }
        try started.run()
        self.reservation = reservation
        self.ended = ended
        identifier = started.processIdentifier
        process = Locked(started)
        while !LoopbackListener.takesConnections(port) {
            guard process.withLock({ $0.isRunning }) else { throw Failure.noStart }
            await Task.yield()
        }
    }

    deinit {
        process.withLock { if $0.isRunning { kill(identifier, SIGKILL) } }
    }

    var port: UInt16 { reservation.number }

    var address: String { "127.0.0.1:\(port)" }

    /// Ends the server without a goodbye, soon.
    func end() {
        kill(identifier, SIGKILL)
    }

    func hasEnded() async {
        await ended.value()
    }

    /// Ends the server without a goodbye, now.
    func die() async {
        end()
        await hasEnded()
    }

    /// Keeps the server's connections, but lets it do nothing any more.
    func freeze() {
        kill(identifier, SIGSTOP)
    }

    /// Lets it work again.
    func thaw() {
        kill(identifier, SIGCONT)
    }

    /// Whether this process has a connection to it.
    var isConnected: Bool {
        (Int32(0)..<4096).contains { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
            }
            return result == 0 && Int32(address.sin_family) == AF_INET && UInt16(bigEndian: address.sin_port) == port
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where llama.cpp's RPC server was built; `Scripts/test` builds it.
    static var needsRPCServer: Self {
        .enabled("build the RPC server: run \"make test\"") {
            LlamaRuntimeInfo.isAvailable && RPCServerProcess.path != nil
        }
    }
}
