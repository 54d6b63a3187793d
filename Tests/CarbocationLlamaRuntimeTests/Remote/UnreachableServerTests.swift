import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("RPC servers that cannot be used", .needsRuntime, .timeLimit(.minutes(10)))
struct UnreachableServerTests {
    private static func engine(_ port: UInt16, _ limits: RPCTimeLimits = RPCTimeLimits()) -> LlamaEngine {
        var configuration = LlamaEngineConfiguration(threadCount: 1, rpcServers: ["127.0.0.1:\(port)"])
        configuration.rpcTimeLimits = limits
        return LlamaEngine(configuration: configuration)
    }

    private static func expectRefusal(_ engine: LlamaEngine, _ port: UInt16, _ part: String) async {
        await #expect { try await engine.load(modelAt: PocketModel.url, requestedContext: 512) } throws: { error in
            guard case LLMEngineError.modelLoadFailed(let reason) = error else { return false }
            return reason.contains("127.0.0.1:\(port)") && reason.contains(part)
        }
        #expect(await engine.currentLoadedModelInfo() == nil)
    }

    @Test("nobody listens: the load fails naming the server, every time")
    func closedPort() async throws {
        let port = try ReservedPort()
        let engine = Self.engine(port.number)
        for _ in 0..<2 { await Self.expectRefusal(engine, port.number, "no connection") }
        await Self.expectRefusal(engine, port.number, "Start ggml-rpc-server there, or correct rpcServers.")
    }

    @Test("a server that takes the connection and says nothing is given up in time")
    func silentServer() async throws {
        let listener = try LoopbackListener()
        let engine = Self.engine(listener.port, RPCTimeLimits(connecting: .milliseconds(100)))
        await Self.expectRefusal(engine, listener.port, "does not answer")
    }

    @Test("waiting for a silent server ends with the task")
    func cancelledWait() async throws {
        let listener = try LoopbackListener()
        let engine = Self.engine(listener.port, RPCTimeLimits(connecting: .seconds(3600)))
        let load = Task { try await engine.load(modelAt: PocketModel.url, requestedContext: 512) }
        while !listener.hasWaitingConnection { await Task.yield() }
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(await engine.currentLoadedModelInfo() == nil)
    }

    @Test("the load of a second engine waits for the first one's attempt, unless it is cancelled")
    func twoAttempts() async throws {
        let listener = try LoopbackListener()
        let limits = RPCTimeLimits(connecting: .seconds(3600))
        let loads = [Self.engine(listener.port, limits), Self.engine(listener.port, limits)].map { engine in
            Task { try await engine.load(modelAt: PocketModel.url, requestedContext: 512) }
        }
        while !listener.hasWaitingConnection { await Task.yield() }
        for load in loads.reversed() {
            load.cancel()
            await #expect(throws: CancellationError.self) { try await load.value }
        }
    }

    private static let size = [UInt8](repeating: 0, count: 7)

    @Test(
        "servers of another kind are refused",
        arguments: [
            [], [UInt8]("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nServer: none at all\r\n\r\n".utf8),
            // The right size, but another version.
            [28] + size + [99] + [UInt8](repeating: 0, count: 27),
            // The right version, and then no, too many or endless devices.
            [28] + size + [7] + [UInt8](repeating: 0, count: 27) + [4] + size + [0, 0, 0, 0],
            [28] + size + [7] + [UInt8](repeating: 0, count: 27) + [4] + size + [255, 255, 255, 255],
            [28] + size + [7] + [UInt8](repeating: 0, count: 27) + [UInt8](repeating: 255, count: 12),
        ] as [[UInt8]])
    func strangeServers(reply: [UInt8]) async throws {
        let listener = try LoopbackListener(reply: reply)
        await Self.expectRefusal(Self.engine(listener.port), listener.port, "cannot be used")
        if reply.contains(99) {
            let remedy = "Run the RPC server of the same llama.cpp version there"
            await Self.expectRefusal(Self.engine(listener.port), listener.port, remedy)
        }
    }

    @Test("a server that ends with or loses the thread of the conversation fails the load, not the process")
    func brokenConversation() async throws {
        // Greets, has one device, and answers what comes next, or comes after its facts, with what has no sense.
        let greeting = [28] + Self.size + [7] + [UInt8](repeating: 0, count: 27) + [4] + Self.size + [1, 0, 0, 0]
        let number = [8] + Self.size + [128] + Self.size
        let facts = number + number + [16] + Self.size + [255] + Self.size + [255] + Self.size
        let nonsense = [[], [UInt8](repeating: 255, count: 64), [UInt8](repeating: 0, count: 64)]
        for reply in nonsense.flatMap({ [greeting + $0, greeting + facts + $0] }) {
            let listener = try LoopbackListener(reply: reply)
            let engine = Self.engine(
                listener.port, RPCTimeLimits(connecting: .milliseconds(200), answering: .milliseconds(200)))
            await Self.expectRefusal(engine, listener.port, "RPC server")
        }
    }
}
