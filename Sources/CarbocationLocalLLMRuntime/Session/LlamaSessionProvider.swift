import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

/// A conversation with an installed model.
struct LlamaSessionProvider: SessionProvider {
    let session: LlamaSession
    let model: InstalledModel

    var transcript: [LLMChatMessage] {
        get async { await session.transcript }
    }

    func loadedInfo() async -> LocalLLMLoadedModelInfo? {
        await session.currentLoadedModelInfo().map { LocalLLMLoadedModelInfo($0, of: model) }
    }

    func stream(prompt: String, options: GenerationOptions, control: LLMGenerationControl?) -> LLMGenerationStream {
        session.stream(prompt: prompt, options: options, control: control)
    }

    func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        session.streamWithTools(request, control: control)
    }

    func preflight(prompt: String, options: GenerationOptions) async throws -> LLMGenerationPreflight {
        try await session.preflight(prompt: prompt, options: options)
    }

    func reset() async {
        await session.reset()
    }

    func fork() async throws -> any SessionProvider {
        LlamaSessionProvider(session: try await session.fork(), model: model)
    }

    func save(to url: URL) async throws {
        try await session.save(to: url)
    }

    func unload() async {
        await session.unload()
    }
}
