import CarbocationLocalLLM
import Dispatch

@testable import CarbocationLlamaRuntime

/// A generation that stands still after its first text, so that nothing depends on how fast anybody is.
///
/// It holds the engine's thread, and with it all other generations of the engine.
final class HeldGeneration: Sendable {
    private let gate: DispatchSemaphore
    private let held: OneShot<Void>
    private let reading: Task<LLMGenerationResult, any Error>

    /// Begins to generate and to read; `onEvent` receives what is read.
    init(
        _ request: LLMGenerationRequest, on engine: LlamaEngine,
        onEvent: @escaping @Sendable (LLMGenerationStreamEvent) -> Void = { _ in }
    ) {
        let (gate, held) = (DispatchSemaphore(value: 0), OneShot<Void>())
        let stream = LLMGenerationStream { emit in
            try await engine.generate(request) { event in
                emit(event)
                guard case .contentDelta = event else { return }
                held.resolve(())
                gate.wait()
                gate.signal()
            }
        }
        (self.gate, self.held) = (gate, held)
        reading = Task { try await stream.result(onEvent: onEvent) }
    }

    /// Returns once it stands still.
    func isHeld() async {
        await held.value()
    }

    func goOn() {
        gate.signal()
    }

    /// Cancels the reader; what waits for the engine has to go on for that to have an effect.
    func cancel() {
        reading.cancel()
    }

    func result() async throws -> LLMGenerationResult {
        try await reading.value
    }
}

extension LLMGenerationRequest {
    /// Asks for a text that ends only with its context.
    static var endless: LLMGenerationRequest {
        LLMGenerationRequest(
            prompt: "Hello", options: GenerationOptions(temperature: 0).with(grammar: #"root ::= "a" root"#))
    }
}
