import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

/// One of llama.cpp's RPC servers on a free port of this machine, ended with its last user.
final class RPCServerProcess: Sendable {
    let port: UInt16
    private let process: Locked<Process>
    private let ended: OneShot<Void>
    private let identifier: pid_t

    static var path: String? {
        ProcessInfo.processInfo.environment["LLAMA_TEST_RPC_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Ports of servers that were started in this process.
    private static let used = Locked<Set<UInt16>>([])

    /// Starts a server on a port that is free.
    static func started() async throws -> RPCServerProcess {
        for _ in 0..<20 {
            let port = try LoopbackListener.unusedPort()
            // Another test may be about to start its server there again.
            guard used.withLock({ $0.insert(port).inserted }) else { continue }
            // Another program may take the port in the meantime.
            if let server = try await RPCServerProcess(port: port) { return server }
        }
        throw Failure.noPort
    }

    enum Failure: Error { case noTool, noPort }

    /// Starts a server on `port` and waits until it takes connections; nil when it cannot have the port.
    init?(port: UInt16) async throws {
        guard let path = Self.path else { throw Failure.noTool }
        let started = Process()
        started.executableURL = URL(fileURLWithPath: path)
        started.arguments = ["--host", "127.0.0.1", "--port", String(port), "--threads", "1"]
        started.standardOutput = FileHandle.nullDevice
        started.standardError = FileHandle.nullDevice
        let ended = OneShot<Void>()
        started.terminationHandler = { _ in ended.resolve(()) }
        try started.run()
        self.port = port
        self.ended = ended
        identifier = started.processIdentifier
        process = Locked(started)
        let address = try RPCServerAddress("127.0.0.1:\(port)")
        while !LoopbackListener.takesConnections(address.port) {
            guard process.withLock({ $0.isRunning }) else { return nil }
            await Task.yield()
        }
    }

    deinit {
        process.withLock { if $0.isRunning { kill(identifier, SIGKILL) } }
    }

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
