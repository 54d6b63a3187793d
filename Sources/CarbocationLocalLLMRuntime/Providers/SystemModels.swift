import CarbocationAppleIntelligenceRuntime
package import CarbocationLocalLLM

/// The models of the operating system, and what generates with them.
package struct SystemModels: Sendable {
    /// Those that can be used now.
    package var options: @Sendable () -> [LLMSystemModelOption]
    /// An engine for one of them.
    package var engine: @Sendable (LLMSystemModelOption, LocalLLMEngineConfiguration) -> any LLMEngine
    /// A conversation with one of them.
    package var session:
        @Sendable (LLMSystemModelOption, _ system: String, LocalLLMEngineConfiguration) async throws ->
            any SessionProvider

    package init(
        options: @escaping @Sendable () -> [LLMSystemModelOption],
        engine: @escaping @Sendable (LLMSystemModelOption, LocalLLMEngineConfiguration) -> any LLMEngine,
        session:
            @escaping @Sendable (LLMSystemModelOption, _ system: String, LocalLLMEngineConfiguration) async throws ->
            any SessionProvider
    ) {
        self.options = options
        self.engine = engine
        self.session = session
    }

    /// One of them, if it can be used now.
    func option(_ id: LLMSystemModelID) -> LLMSystemModelOption? {
        options().first { $0.selection == .system(id) }
    }
}

extension SystemModels {
    /// Those that come with the system this runs on.
    package static let ofThisSystem = SystemModels(
        options: { [AppleIntelligenceAvailability.current()].compactMap(\.option) },
        engine: { _, configuration in
            AppleIntelligenceEngine(configuration: configuration.appleIntelligence)
        },
        session: { option, system, configuration in
            AppleSessionProvider(
                session: try await AppleIntelligenceSession(
                    system: system, configuration: configuration.appleIntelligence),
                info: LocalLLMLoadedModelInfo(option))
        })
}

extension AppleIntelligenceAvailability {
    /// How a picker shows it; nil when it cannot be used.
    fileprivate var option: LLMSystemModelOption? {
        guard case .available(let contextSize) = self, contextSize > 0 else { return nil }
        return LLMSystemModelOption(
            selection: .system(.appleIntelligence), displayName: "Apple Intelligence",
            subtitle: "Comes with the system, nothing to download", contextLength: contextSize,
            systemImageName: "apple.intelligence")
    }
}

extension LocalLLMEngineConfiguration {
    var appleIntelligence: AppleIntelligenceConfiguration {
        AppleIntelligenceConfiguration(
            promptReserveTokens: promptReserveTokens, heartbeatInterval: heartbeatInterval)
    }
}
