import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Models on servers that do not answer at the moment", .needsRPCServer, .timeLimit(.minutes(10)))
struct BusyServerTests {
    /// Far longer than anything here takes.
    private static let patience = Duration.seconds(120)

    private static func engine(_ server: RPCServerProcess, layers: Int32) async throws -> LlamaEngine {
        var configuration = LlamaEngineConfiguration(
            gpuLayerCount: layers, threadCount: 1, accelerationPolicy: .disabled, rpcServers: [server.address])
        configuration.rpcTimeLimits = RPCTimeLimits(answering: patience, stopping: .milliseconds(50))
        let engine = LlamaEngine(configuration: configuration)
        try await engine.load(modelAt: PocketModel.url, requestedContext: 1024)
        return engine
    }

    @Test("LR-7: memory on a server is freed on threads of the engine's own, and unloading ends when it is free")
    func unload() async throws {
        let server = try await RPCServerProcess.started()
        let writer = try await Self.engine(server, layers: 999)
        // Another number of layers means weights of its own, over the same connection.
        let other = try await Self.engine(server, layers: 998)
        _ = try await other.embed(["Hello"])
        let frozen = OneShot<Void>()
        let isWriting = Locked(false)
        let isOver = Locked(false)
        let writing = Task {
            defer { isOver.withLock { $0 = true } }
            _ = try await writer.reply(to: .endless, tools: nil) { event in
                guard case .contentDelta = event else { return }
                let isFirst = isWriting.withLock { isWriting in
                    defer { isWriting = true }
                    return !isWriting
                }
                guard isFirst else { return }
                server.freeze()
                frozen.resolve(())
            }
        }
        await frozen.value()
        let unload = Task { await other.unload() }
        // The engine answers while its memory waits for the server.
        while await other.currentLoadedModelInfo() != nil { await Task.yield() }
        #expect(isOver.withLock { !$0 })
        writing.cancel()
        server.thaw()
        await unload.value
        await #expect(throws: (any Error).self) { try await writing.value }
        await #expect(throws: LLMEngineError.noModelLoaded) { try await other.embed(["Hello"]) }
        await writer.unload()
    }

    /// A draft model on a server beside a model that is here.
    private static func loop(_ server: RPCServerProcess) throws -> (loop: InferenceLoop, context: NativeContext) {
        let limits = RPCTimeLimits(answering: patience, stopping: .milliseconds(50))
        let settings = ContextSettings(
            LlamaEngineConfiguration(maximumConcurrentSequences: 1), contextSize: 1024, batchSize: 64, threads: 1)
        let context = try NativeContext(model: NativeModel(path: PocketModel.url.path), settings: settings)
        let draftContext = try NativeContext(
            model: NativeModel(
                path: PocketModel.url.path, gpuLayers: 999,
                servers: NativeServers([RPCServerAddress(server.address)], limits: limits)),
            settings: settings)
        let draftModel = DraftModel(context: draftContext, leastProbability: 0)
        let speculation = Speculation(
            draftLimit: 4, pacing: .always, draftContext: draftContext, now: { 0 },
            makeDrafter: { DraftModelDrafter(model: draftModel) })
        return (InferenceLoop(context: context, maximumSequences: 1, speculation: speculation), context)
    }

    @Test("cancelling a generation whose drafts a server does not answer for gives that server up soon")
    func frozenDraftServer() async throws {
        let server = try await RPCServerProcess.started()
        let (loop, context) = try Self.loop(server)
        let sampler = try NativeSampler(
            model: context.model, settings: try SamplerSettings(GenerationOptions(temperature: 0)))
        let frozen = OneShot<Void>()
        let output = AwaitedOutput { _ in
            server.freeze()
            frozen.resolve(())
            return nil
        }
        let prompt = try context.model.plainTokens(of: Array("one two three one two three".utf8))
        loop.submit(
            GenerationJob(
                id: 1, prompt: prompt, outputLimit: 200, limitReason: .maxTokens,
                sample: { row in try sampler.sample(from: context, row: row) },
                endsGeneration: { _ in false }, output: output, isSpeculative: true))
        await frozen.value()
        let clock = ContinuousClock()
        let start = clock.now
        loop.cancel(1)
        guard case .cancelled = await output.outcome.value().end else { return #expect(Bool(false)) }
        #expect(clock.now - start < Self.patience / 2)
        loop.stop()
        await loop.ended.value()
    }
}
