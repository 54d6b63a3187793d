import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation

/// A system model that answers with scripts.
struct ScriptedSystem {
    static let option = LLMSystemModelOption(
        selection: .system(.appleIntelligence), displayName: "Scripted", subtitle: "", contextLength: 4096,
        systemImageName: "gear")

    let engine: ScriptedLLMEngine
    private let isAvailable = Locked(true)

    init(
        _ script: [[ScriptedLLMEngine.Step]] = [[.text("From the system.")]],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        engine = ScriptedLLMEngine(script: script, repeatsLastTurn: true, clock: clock)
    }

    func setAvailable(_ isAvailable: Bool) {
        self.isAvailable.withLock { $0 = isAvailable }
    }

    var models: SystemModels {
        SystemModels(
            options: { [isAvailable] in isAvailable.withLock { $0 } ? [Self.option] : [] },
            engine: { [engine] _, _ in engine },
            session: { [engine] _, system, _ in ScriptedSession(engine: engine, system: system) })
    }
}

/// A conversation with a script.
actor ScriptedSession: Conversing, SessionProvider {
    private let engine: ScriptedLLMEngine
    private(set) var transcript: [LLMChatMessage]
    private var isUnloaded = false

    nonisolated var conversation: any Conversing { self }

    init(engine: ScriptedLLMEngine, system: String) {
        self.engine = engine
        transcript = system.isEmpty ? [] : [LLMChatMessage(role: .system, content: system)]
    }

    func loadedInfo() -> LocalLLMLoadedModelInfo? {
        guard !isUnloaded else { return nil }
        return LocalLLMLoadedModelInfo(
            selection: ScriptedSystem.option.selection, displayName: "Scripted", contextSize: 4096,
            trainingContextSize: 0, supportsGrammar: false, usesExactTokenCounts: false)
    }

    nonisolated func stream(
        prompt: String, options: GenerationOptions, control: LLMGenerationControl?
    ) -> LLMGenerationStream {
        LLMGenerationStream { emit in try await self.answer(prompt, options, emit) }
    }

    private func answer(
        _ prompt: String, _ options: GenerationOptions, _ emit: @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws {
        guard !isUnloaded else { throw LLMSessionError.unloaded }
        let messages = transcript + [LLMChatMessage(role: .user, content: prompt)]
        for try await event in engine.stream(LLMGenerationRequest(messages: messages, options: options)) {
            if case .completed(let result) = event { transcript = messages + [result.assistantMessage] }
            emit(event)
        }
    }

    nonisolated func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        engine.streamWithTools(request, control: control)
    }

    func preflight(prompt: String, options: GenerationOptions) async throws -> LLMGenerationPreflight {
        try await engine.preflight(system: "", prompt: prompt, options: options)
    }

    func reset() { transcript = [] }

    func fork() -> any SessionProvider { self }

    func save(to url: URL) throws { throw LLMSessionError.saveUnsupported }

    func unload() { isUnloaded = true }
}
