package import CarbocationLocalLLM
package import Foundation

/// The system's language model as an engine; each generation is a conversation of its own.
///
/// Whether there is a model is asked anew for every call. Without the framework every call throws
/// ``AppleIntelligenceError/unavailable(_:)``.
package struct AppleIntelligenceEngine: LLMEngine {
    private let configuration: AppleIntelligenceConfiguration
    private let clock: any Clock<Duration>

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - configuration: How the model is used.
    ///   - clock: Measures time, that of tools too.
    package init(
        configuration: AppleIntelligenceConfiguration = AppleIntelligenceConfiguration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.configuration = configuration
        self.clock = clock
    }

    /// Nil: the system's model is in no library.
    package func currentModelID() async -> UUID? {
        nil
    }

    /// The context of the system's model; 0 while it is not available.
    package func currentContextSize() async -> Int {
        if case .available(let contextSize) = AppleIntelligenceAvailability.current() { contextSize } else { 0 }
    }

    /// Says whether a request fits; the counts are estimates where the system does not count.
    package func preflight(_ request: LLMGenerationRequest) async throws -> LLMGenerationPreflight {
        let prepared = try PreparedGeneration(
            request.messages, options: request.options, configuration: configuration)
        return try await Cancellable.value { await prepared.budget() }
    }

    /// A stream that generates when it is iterated.
    package func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream {
        LLMGenerationStream { emit in
            let registration = request.control?.beginGeneration()
            defer { registration?.end() }
            let prepared = try PreparedGeneration(
                request.messages, options: request.options, configuration: configuration)
            _ = try await SystemGeneration(prepared: prepared, clock: clock).run(emit: emit)
        }
    }

    /// A stream that generates with tools when it is iterated.
    package func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            let registration = control?.beginGeneration()
            defer { registration?.end() }
            let run = try SystemToolRun(request, configuration: configuration, clock: clock)
            emit(.completed(try await run.run(emit: emit).result))
        }
    }
}
