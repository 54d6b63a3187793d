import CarbocationLocalLLM
import Foundation

@testable import CLLMCommands

/// A conversation that asks an engine with all that was said before.
final class FakeChatSession: ChatSession {
    private struct State {
        var messages: [LLMChatMessage]
        var onUnload: @Sendable () -> Void = {}
    }

    private let engine: any LLMEngine
    private let system: [LLMChatMessage]
    private let state: Locked<State>

    init(engine: any LLMEngine, opening: ChatOpening) {
        self.engine = engine
        system = opening.system.isEmpty ? [] : [LLMChatMessage(role: .system, content: opening.system)]
        state = Locked(State(messages: system + opening.history))
    }

    /// Reads what ``save(to:)`` wrote.
    init(engine: any LLMEngine, restoring url: URL) throws {
        let lines = String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n")
        if lines.first == "other" { throw LLMSessionError.modelMismatch("It needs another model.") }
        guard lines.first == "chat" else { throw LLMSessionError.damagedSnapshot("It is no conversation.") }
        let messages = lines.dropFirst().enumerated().map { index, line in
            LLMChatMessage(role: index % 2 == 0 ? .user : .assistant, content: String(line))
        }
        self.engine = engine
        system = []
        state = Locked(State(messages: messages))
    }

    var onUnload: @Sendable () -> Void {
        get { state.withLock(\.onUnload) }
        set { state.withLock { $0.onUnload = newValue } }
    }

    var transcript: [LLMChatMessage] {
        get async { state.withLock(\.messages) }
    }

    func stream(prompt: String, options: GenerationOptions, control: LLMGenerationControl?) -> LLMGenerationStream {
        LLMGenerationStream { [self] emit in
            let messages = state.withLock(\.messages) + [LLMChatMessage(role: .user, content: prompt)]
            for try await event in engine.stream(LLMGenerationRequest(messages: messages, options: options)) {
                if case .completed(let result) = event { remember(prompt, result.finalText) }
                emit(event)
            }
        }
    }

    func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        engine.streamWithTools(request, control: control)
    }

    func reset() async {
        state.withLock { $0.messages = system }
    }

    func save(to url: URL) async throws {
        let lines = ["chat"] + state.withLock { $0.messages.map(\.content) }
        try Data(lines.joined(separator: "\n").utf8).write(to: url)
    }

    func unload() async {
        onUnload()
    }

    private func remember(_ prompt: String, _ answer: String) {
        state.withLock {
            $0.messages.append(LLMChatMessage(role: .user, content: prompt))
            $0.messages.append(LLMChatMessage(role: .assistant, content: answer))
        }
    }
}
