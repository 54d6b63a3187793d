import CarbocationAppleIntelligenceRuntime
import CarbocationLocalLLM
import Foundation

/// A conversation with Apple Intelligence.
struct AppleSessionProvider: SessionProvider {
    private let session: AppleIntelligenceSession
    private let info: LocalLLMLoadedModelInfo
    private let isUnloaded = Locked(false)

    init(session: AppleIntelligenceSession, info: LocalLLMLoadedModelInfo) {
        self.session = session
        self.info = info
    }

    var transcript: [LLMChatMessage] {
        get async { await session.transcript }
    }

    func loadedInfo() async -> LocalLLMLoadedModelInfo? {
        isUnloaded.withLock { $0 } ? nil : info
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
        AppleSessionProvider(session: try await session.fork(), info: info)
    }

    func save(to url: URL) async throws {
        throw isUnloaded.withLock { $0 } ? LLMSessionError.unloaded : LLMSessionError.saveUnsupported
    }

    func unload() async {
        isUnloaded.withLock { $0 = true }
        await session.unload()
    }
}
