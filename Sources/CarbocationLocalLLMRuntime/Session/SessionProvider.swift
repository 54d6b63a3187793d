package import CarbocationLocalLLM
package import Foundation

/// The session of one provider: its conversation, and what providers do differently.
package protocol SessionProvider: Sendable {
    var conversation: any Conversing { get }

    /// What is loaded; nil once it was unloaded.
    func loadedInfo() async -> LocalLLMLoadedModelInfo?

    /// Another session that begins with this conversation.
    func fork() async throws -> any SessionProvider

    /// Writes the conversation into a file.
    func save(to url: URL) async throws
}
