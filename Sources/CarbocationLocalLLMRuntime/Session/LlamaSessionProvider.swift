import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

/// A conversation with an installed model.
struct LlamaSessionProvider: SessionProvider {
    let session: LlamaSession
    let model: InstalledModel

    var conversation: any Conversing { session }

    func loadedInfo() async -> LocalLLMLoadedModelInfo? {
        await session.currentLoadedModelInfo().map { LocalLLMLoadedModelInfo($0, of: model) }
    }

    func fork() async throws -> any SessionProvider {
        LlamaSessionProvider(session: try await session.fork(), model: model)
    }

    func save(to url: URL) async throws {
        try await session.save(to: url)
    }
}
