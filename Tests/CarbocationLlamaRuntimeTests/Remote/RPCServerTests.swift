import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Models spread over RPC servers", .needsRPCServer, .timeLimit(.minutes(10)))
struct RPCServerTests {
    private static func configuration(
        _ servers: [RPCServerProcess], _ limits: RPCTimeLimits = RPCTimeLimits()
    ) -> LlamaEngineConfiguration {
        // With drafts a text without end would soon reach the end of its context.
        var configuration = LlamaEngineConfiguration(
            threadCount: 1, accelerationPolicy: .disabled, rpcServers: servers.map(\.address))
        configuration.rpcTimeLimits = limits
        return configuration
    }

    private static func engine(
        _ servers: [RPCServerProcess], _ limits: RPCTimeLimits = RPCTimeLimits()
    ) async throws -> LlamaEngine {
        let engine = LlamaEngine(configuration: configuration(servers, limits))
        try await engine.load(modelAt: PocketModel.url, requestedContext: 1024)
        return engine
    }

    private static func text(of dialogue: PocketModel.Dialogue, _ engine: LlamaEngine) async throws -> String {
        try await engine.stream(dialogue.request).result().finalText
    }

    /// Writes text without end; `interrupt` comes with its first token, and the engine computes nothing meanwhile.
    private static func write(_ engine: LlamaEngine, _ interrupt: @escaping @Sendable () -> Void) async throws {
        _ = try await engine.reply(to: .endless, tools: nil) { event in
            if case .contentDelta = event { interrupt() }
        }
    }

    private static func expectLoss(
        of server: RPCServerProcess, _ part: String, _ body: () async throws -> Void
    ) async {
        await #expect { try await body() } throws: { error in
            guard case LLMEngineError.decodeFailed(let reason) = error else { return false }
            return reason.contains(server.address) && reason.contains(part)
        }
    }

    @Test("two servers write what one machine writes")
    func sameText() async throws {
        let servers = [try await RPCServerProcess.started(), try await RPCServerProcess.started()]
        let local = try await PocketModel.engine(context: 1024)
        let remote = try await Self.engine(servers)
        #expect(await remote.currentLoadReport()?.servers == servers.map(\.address))
        for dialogue in PocketModel.dialogues.prefix(3) {
            #expect(try await Self.text(of: dialogue, remote) == Self.text(of: dialogue, local))
        }
    }

    @Test("engines share the connection and compute at the same time")
    func sharedServers() async throws {
        let servers = [try await RPCServerProcess.started(), try await RPCServerProcess.started()]
        let local = try await PocketModel.engine(context: 1024)
        let first = try await Self.engine(servers)
        // Another order is another load, so that these have weights of their own.
        let second = try await Self.engine(servers.reversed())
        let dialogues = Array(PocketModel.dialogues.prefix(4))
        try await withThrowingTaskGroup(of: (String, String).self) { group in
            for (index, dialogue) in (dialogues + dialogues).enumerated() {
                group.addTask {
                    (dialogue.id, try await Self.text(of: dialogue, index.isMultiple(of: 2) ? first : second))
                }
            }
            for try await (id, text) in group {
                let dialogue = try #require(dialogues.first { $0.id == id })
                #expect(try await Self.text(of: dialogue, local) == text)
            }
        }
    }

    @Test(
        "whichever server dies while it generates ends that by name, and can be used again once it runs",
        arguments: [0, 1])
    func death(index: Int) async throws {
        let servers = [try await RPCServerProcess.started(), try await RPCServerProcess.started()]
        let (dying, staying) = (servers[index], servers[1 - index])
        let engine = try await Self.engine(servers)
        let bystander = try await Self.engine([dying, staying])
        await Self.expectLoss(of: dying, "was lost") { try await Self.write(engine) { dying.end() } }
        await dying.hasEnded()
        await Self.expectLoss(of: dying, "was lost") { _ = try await engine.stream(.endless).result() }
        await Self.expectLoss(of: dying, "was lost") { _ = try await engine.embed(["Hello"]) }
        // Its port is free, and the one that stayed works on; the bystander still holds the lost connection.
        let again = try await dying.restarted()
        try await engine.load(modelAt: PocketModel.url, requestedContext: 1024)
        let dialogue = try #require(PocketModel.dialogues.first)
        let local = try await PocketModel.engine(context: 1024)
        #expect(try await Self.text(of: dialogue, engine) == Self.text(of: dialogue, local))
        await Self.expectLoss(of: dying, "was lost") { _ = try await bystander.stream(.endless).result() }
        await bystander.unload()
        await engine.unload()
        await again.die()
    }

    @Test("a server that dies while nothing is generated is told by the next generation")
    func deathBetween() async throws {
        let server = try await RPCServerProcess.started()
        let engine = try await Self.engine([server])
        _ = try await engine.embed(["Hello"])
        await server.die()
        await Self.expectLoss(of: server, "was lost") { _ = try await engine.embed(["Hello"]) }
        await Self.expectLoss(of: server, "was lost") { _ = try await engine.stream(.endless).result() }
        await engine.unload()
    }

    @Test("a session whose server died can be saved, and goes on once the server runs again")
    func session() async throws {
        let server = try await RPCServerProcess.started()
        let models = try SessionModels()
        let session = try await LlamaSession(
            model: LlamaModelDescriptor(url: PocketModel.url), requestedContext: 1024,
            configuration: Self.configuration([server]))
        _ = try await session.generatePhased(prompt: "My name is Olekiw.", options: .greedy())
        await server.die()
        let prompt = "What is my name?"
        await Self.expectLoss(of: server, "was lost") { _ = try await session.generatePhased(prompt: prompt) }
        try await session.save(to: models.file("talk.session"))
        await #expect {
            try await session.generatePhased(prompt: prompt)
        } throws: { error in
            guard case LLMEngineError.modelLoadFailed(let reason) = error else { return false }
            return reason.contains(server.address)
        }
        let again = try await server.restarted()
        let result = try await session.generatePhased(prompt: prompt, options: .greedy())
        #expect(result.finalText == "Your name is Olekiw." && result.cachedPromptTokens == 0)
        #expect(await session.transcript.count == 4)
        #expect(await session.currentLoadedModelInfo()?.contextSize == 1024)
        let next = try await session.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
        #expect(next.cachedPromptTokens > 0)
        await session.unload()
        await again.die()
    }

    @Test("a saved cache is read from and written to servers; one that stops working does not hold that up for ever")
    func savedCache() async throws {
        let server = try await RPCServerProcess.started()
        let models = try SessionModels()
        let limits = RPCTimeLimits(answering: .seconds(3600), stopping: .milliseconds(50))
        let configuration = Self.configuration([server], limits)
        let session = try await LlamaSession(
            model: LlamaModelDescriptor(url: PocketModel.url), requestedContext: 1024, configuration: configuration)
        _ = try await session.generatePhased(prompt: "My name is Olekiw.", options: .greedy())
        let file = models.file("talk.session")
        try await session.save(to: file)
        let restored = try await LlamaSession(restoring: file, configuration: configuration) { _ in
            LlamaModelDescriptor(url: PocketModel.url)
        }
        let name = try await restored.generatePhased(prompt: "What is my name?", options: .greedy())
        #expect(name.finalText == "Your name is Olekiw." && name.cachedPromptTokens > 0)
        server.freeze()
        let save = Task { try await session.save(to: file) }
        while session.queue.count == 0 { await Task.yield() }
        save.cancel()
        await #expect(throws: CancellationError.self) { try await save.value }
        await restored.unload()
        await session.unload()
    }

    @Test("a server that stops working is given up")
    func frozenServer() async throws {
        let server = try await RPCServerProcess.started()
        let engine = try await Self.engine([server], RPCTimeLimits(answering: .seconds(5)))
        await Self.expectLoss(of: server, "does not answer") { try await Self.write(engine) { server.freeze() } }
        await engine.unload()
    }

    @Test("a server that stops working is given up soon once nobody waits for it")
    func cancelledOnFrozenServer() async throws {
        let server = try await RPCServerProcess.started()
        let limits = RPCTimeLimits(answering: .seconds(3600), stopping: .milliseconds(50))
        let engine = try await Self.engine([server], limits)
        let started = OneShot<Void>()
        let generation = Task {
            try await Self.write(engine) {
                server.freeze()
                started.resolve(())
            }
        }
        await started.value()
        generation.cancel()
        await #expect(throws: (any Error).self) { try await generation.value }
        await engine.unload()
    }

    @Test("a load that was cancelled leaves the server free for the next one")
    func cancelledLoad() async throws {
        let server = try await RPCServerProcess.started()
        let engine = LlamaEngine(
            configuration: Self.configuration([server], RPCTimeLimits(connecting: .seconds(3600))))
        server.freeze()
        let load = Task { try await engine.load(modelAt: PocketModel.url, requestedContext: 1024) }
        while !server.isConnected { await Task.yield() }
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(!server.isConnected)
        server.thaw()
        try await engine.load(modelAt: PocketModel.url, requestedContext: 1024)
        #expect(try await engine.embed(["Hello"]).count == 1)
    }

    @Test("a server works for one program at a time: the next one is told that it is busy, and gets it afterwards")
    func busyServer() async throws {
        let server = try await RPCServerProcess.started()
        let other = try LoopbackConnection(to: server.port)
        let limits = RPCTimeLimits(connecting: .milliseconds(100))
        let engine = LlamaEngine(configuration: Self.configuration([server], limits))
        await #expect {
            try await engine.load(modelAt: PocketModel.url, requestedContext: 512)
        } throws: { error in
            guard case LLMEngineError.modelLoadFailed(let reason) = error else { return false }
            return reason.contains(server.address) && reason.contains("busy with another program")
        }
        other.close()
        let patient = LlamaEngine(configuration: Self.configuration([server]))
        try await patient.load(modelAt: PocketModel.url, requestedContext: 512)
    }
}
