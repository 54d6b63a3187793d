import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct ModelArgumentsTests {
    private func load(_ arguments: [String]) async throws -> ModelLoadRequest {
        let model = try TemporaryFile.model()
        let session = CommandSession()
        #expect(await session.run(["run", "--model", model.path, "hi"] + arguments) == 0)
        let request = try #require(session.runtime.log.loads.first)
        #expect(request.source.url?.path == model.path)
        #expect(session.runtime.log.unloads == 1)
        return request
    }

    @Test("without options the engine's own settings hold")
    func defaults() async throws {
        let request = try await load([])
        #expect(request.configuration == LlamaEngineConfiguration())
        #expect(request.context == LlamaContextPolicy.unknownTrainingFallback)
    }

    @Test("CP-4: a file gets the context that the policy gives its training context")
    func contextOfFile() async throws {
        let folder = ModelsFolder()
        let path = try folder.write(GGUFBuilder.small().bytes(), to: "m.gguf")
        let session = folder.session()
        #expect(await session.run("run", "--model", path, "hi") == 0)
        #expect(session.runtime.log.loads.map(\.context) == [LlamaContextPolicy.defaultAutoCap])
    }

    @Test("CP-6: an installed model gets the context of its load plan")
    func contextOfInstalled() async throws {
        let folder = ModelsFolder()
        let id = try await folder.install()
        let session = folder.session()
        #expect(await session.run("run", "--model", id, "hi") == 0)
        #expect(await session.run("run", "--model", id, "--context", "700", "hi") == 0)
        #expect(session.runtime.log.loads.map(\.context) == [8192, 700])
        #expect(session.runtime.log.loads.first?.source.selection?.storageValue == id)
    }

    @Test("a model of the system that is not available is told before anything is loaded")
    func systemModel() async throws {
        let session = CommandSession()
        #expect(await session.run("run", "--model", "system.apple-intelligence", "hi") == 1)
        #expect(session.errors.text.hasPrefix("cllm: Apple Intelligence cannot be used"))
        #expect(session.errors.lines.count == 1)
        #expect(session.runtime.log.loads.isEmpty)
        #expect(await session.run("smoke", "system.apple-intelligence") == 1)
        #expect(session.errors.lines.last?.contains("is not a file") == true)
    }

    @Test("options reach the engine")
    func options() async throws {
        let request = try await load(["--context", "900", "--threads=3", "--gpu-layers", "-1", "--batch", "64"])
        #expect(request.context == 900)
        #expect(request.configuration.threadCount == 3)
        #expect(request.configuration.gpuLayerCount == -1)
        #expect(request.configuration.batchSizeLimit == 64)
    }

    @Test("the policy for drafts and the model to draft with reach the engine")
    func acceleration() async throws {
        let draft = try TemporaryFile.model()
        let request = try await load(["--acceleration", "disabled", "--draft-model", draft.path])
        #expect(request.configuration.accelerationPolicy == .disabled)
        #expect(request.configuration.draftModelURL?.path == draft.path)
        #expect(try await load(["--acceleration=automatic"]).configuration == LlamaEngineConfiguration())
    }

    @Test("a model to draft with that is not there is told before anything is loaded")
    func missingDraftModel() async throws {
        let model = try TemporaryFile.model()
        let session = CommandSession()
        #expect(await session.run(["run", "--model", model.path, "--draft-model", "/nowhere/m.gguf", "hi"]) == 1)
        #expect(session.errors.text.contains("/nowhere/m.gguf"))
        #expect(session.runtime.log.loads.isEmpty)
    }

    @Test("RPC servers reach the engine in their order")
    func servers() async throws {
        let request = try await load(["--rpc", "10.0.0.7:50052", "--rpc=[::1]:1"])
        #expect(request.configuration.rpcServers == ["10.0.0.7:50052", "[::1]:1"])
    }
}
