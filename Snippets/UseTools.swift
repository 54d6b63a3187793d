// Lets a model use the tools that come with the package, and one of the app's own.

import CarbocationLlamaRuntime
import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation

let engine = LlamaEngine()
try await engine.load(modelAt: URL(fileURLWithPath: CommandLine.arguments[1]), requestedContext: 4096)

let time = LLMTool(
    definition: LLMToolDefinition(name: "get_time", description: "The current time.")
) { _ in
    .string(Date.now.ISO8601Format())
}
let request = LLMToolGenerationRequest(
    system: "Use the tools where they help.",
    prompt: "How many miles are 42.195 kilometers?",
    tools: LLMStandardTools.initialTools() + [time]
)
for try await event in engine.streamWithTools(request, control: nil) {
    switch event {
    case .generationEvent(.contentDelta(.final, let text, _)): print(text, terminator: "")
    case .toolCallStarted(let call): print("[\(call.name) \(call.arguments.jsonString())]")
    case .completed(let result): print("\n(\(result.toolCalls.count) calls, \(result.stopReason.rawValue))")
    default: break
    }
}
