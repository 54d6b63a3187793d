import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct ModelArgumentsTests {
    private func load(_ arguments: [String]) async throws -> ModelLoadRequest {
        let model = try TemporaryFile.model()
        let session = CommandSession()
        #expect(await session.run(["run", "--model", model.path, "hi"] + arguments) == 0)
        let request = try #require(session.runtime.log.loads.first)
        #expect(request.url.path == model.path)
        #expect(session.runtime.log.unloads == 1)
        return request
    }

    @Test("without options the engine's own settings hold")
    func defaults() async throws {
        let request = try await load([])
        #expect(request.configuration == LlamaEngineConfiguration())
        #expect(request.context == ModelArguments.defaultContext)
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
