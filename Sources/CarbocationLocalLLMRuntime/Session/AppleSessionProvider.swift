import CarbocationAppleIntelligenceRuntime
import CarbocationLocalLLM
import Foundation

/// A conversation with Apple Intelligence.
struct AppleSessionProvider: SessionProvider {
    let session: AppleIntelligenceSession
    let info: LocalLLMLoadedModelInfo

    var conversation: any Conversing { session }

    func loadedInfo() async -> LocalLLMLoadedModelInfo? {
        await session.isUnloaded ? nil : info
    }

    func fork() async throws -> any SessionProvider {
        AppleSessionProvider(session: try await session.fork(), info: info)
    }

    func save(to url: URL) async throws {
        throw await session.isUnloaded ? LLMSessionError.unloaded : LLMSessionError.saveUnsupported
    }
}
