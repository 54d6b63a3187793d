// Loads a GGUF model and prints its answer as it is written.

import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

let engine = LlamaEngine()
try await engine.load(modelAt: URL(fileURLWithPath: CommandLine.arguments[1]), requestedContext: 2048)

let request = LLMGenerationRequest(
    system: "You answer in one sentence.",
    prompt: "Why is the sky blue?",
    options: GenerationOptions(temperature: 0, maxOutputTokens: 80)
)
for try await event in engine.stream(request) {
    switch event {
    case .contentDelta(_, let text, _): print(text, terminator: "")
    case .completed(let result): print("\n(\(result.stopReason.rawValue))")
    default: break
    }
}
