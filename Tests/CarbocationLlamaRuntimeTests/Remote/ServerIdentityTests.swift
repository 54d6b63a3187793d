import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Which server is behind an address", .needsRuntime, .timeLimit(.minutes(10)))
struct ServerIdentityTests {
    private static let changes: [@Sendable (inout ScriptedRPCServer.Facts) -> Void] = [
        { $0.patch = 1 }, { $0.devices = 2 }, { $0.alignment = 128 }, { $0.maximumSize = 1 << 39 },
        { $0.memory = 1 << 31 },
    ]

    /// Fails for lack of memory on the server, and leaves the connection in order.
    private static func load(from server: ScriptedRPCServer) async {
        let engine = LlamaEngine(
            configuration: LlamaEngineConfiguration(threadCount: 1, rpcServers: ["127.0.0.1:\(server.port)"]))
        await #expect {
            try await engine.load(modelAt: PocketModel.url, requestedContext: 512)
        } throws: { error in
            guard case LLMEngineError.modelLoadFailed(let reason) = error else { return false }
            return !reason.contains("lost")
        }
    }

    @Test("what is known of a server is asked again when another one answers there", arguments: changes.indices)
    func another(change: Int) async throws {
        let server = try ScriptedRPCServer()
        await Self.load(from: server)
        var facts = ScriptedRPCServer.Facts()
        Self.changes[change](&facts)
        server.become(facts)
        await Self.load(from: server)
        // Once to know who it is, and once by llama.cpp, which asks only where it remembers nothing.
        #expect(server.count(of: .alignment) > Int(facts.devices))
        #expect(server.count(of: .maximumSize) > Int(facts.devices))
    }

    @Test("what is known of a server is not asked again when the same one answers, however much is free there")
    func same() async throws {
        let server = try ScriptedRPCServer()
        await Self.load(from: server)
        #expect(server.count(of: .alignment) == 2)
        var facts = ScriptedRPCServer.Facts()
        facts.freeMemory = 1 << 28
        server.become(facts)
        await Self.load(from: server)
        #expect(server.count(of: .hello) == 1)
        #expect(server.count(of: .alignment) == 1)
        #expect(server.count(of: .maximumSize) == 1)
    }

    @Test(
        "a server that was restarted while nobody looked is found by the next load, by whichever engine",
        .needsRPCServer)
    func restarted() async throws {
        let server = try await RPCServerProcess.started()
        let dialogue = try #require(PocketModel.dialogues.first)
        let engines = ([999, 999, 998] as [Int32]).map { layers in
            // Another number of layers means weights of its own.
            LlamaEngine(
                configuration: LlamaEngineConfiguration(
                    gpuLayerCount: layers, threadCount: 1, rpcServers: [server.address]))
        }
        try await engines[0].load(modelAt: PocketModel.url, requestedContext: 512)
        await server.die()
        let again = try await server.restarted()
        for engine in engines.reversed() {
            try await engine.load(modelAt: PocketModel.url, requestedContext: 512)
            #expect(try await engine.stream(dialogue.request).result().rawGeneratedText == dialogue.expected)
        }
        for engine in engines { await engine.unload() }
        await again.die()
    }
}
