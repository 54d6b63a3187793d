import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import CarbocationLocalLLMTools
import Foundation

/// A conversation that survives the app.
@MainActor
final class Chat {
    struct TooLong: Error {}

    private let session: LocalLLMSession

    private init(session: LocalLLMSession) {
        self.session = session
    }

    // snippet.open
    /// Goes on with the saved conversation, or begins one with what was planned.
    static func open(
        _ plan: LocalLLMLoadPlan, from shelf: ModelShelf, saved file: URL,
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration()
    ) async throws -> Chat {
        if FileManager.default.fileExists(atPath: file.path) {
            do {
                let session = try await LocalLLMSession(
                    restoring: file, from: shelf.library, configuration: configuration)
                return Chat(session: session)
            } catch LLMSessionError.damagedSnapshot {
                // Nothing can go on with it. A missing model is another matter: it may come back, so the user is told.
            }
        }
        let session = try await LocalLLMSession(
            selection: plan.selection, system: "Answer briefly.", from: shelf.library,
            requestedContext: plan.requestedContext, configuration: configuration)
        return Chat(session: session)
    }
    // snippet.end

    // snippet.say
    /// Sends a message, if the conversation still has room for it; the answer grows while it is written.
    func say(
        _ message: String, options: GenerationOptions = GenerationOptions(), into answer: Answer
    ) async throws {
        guard try await session.preflight(prompt: message, options: options).canGenerate else { throw TooLong() }
        for try await event in session.stream(prompt: message, options: options) { answer.show(event) }
    }
    // snippet.end

    // snippet.tools
    func calculate(_ question: String) async throws -> LLMToolGenerationResult {
        try await session.generateWithTools(
            prompt: question, options: GenerationOptions(temperature: 0, maxOutputTokens: 256),
            tools: [LLMStandardTools.calculate()])
    }
    // snippet.end

    // snippet.save
    func save(to file: URL) async throws {
        try await session.save(to: file)
    }

    /// Another chat that begins as this one did up to here.
    func branch() async throws -> Chat {
        Chat(session: try await session.fork())
    }
    // snippet.end

    /// The messages to show.
    var messages: [LLMChatMessage] {
        get async { await session.transcript }
    }
}
