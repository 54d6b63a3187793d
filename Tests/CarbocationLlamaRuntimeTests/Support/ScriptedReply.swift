import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

/// What a scripted model answers to a user when it may call a tool `add` with an integer `a`.
struct ScriptedReply {
    private static let add = LLMToolDefinition(
        name: "add", description: "Adds.",
        parameters: ["type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"]])

    let result: LLMGenerationResult
    /// Names and arguments of the calls that may run.
    let calls: [String]
    /// How many calls there are, with those that are refused.
    let allCalls: Int
    let incompleteCall: String?

    init(
        of model: ScriptedModel, choice: LLMToolChoice = .auto, _ change: (inout GenerationOptions) -> Void = { _ in }
    ) async throws {
        var options = GenerationOptions(temperature: 0, maxOutputTokens: 40)
        change(&options)
        let completed = Locked<LLMGenerationResult?>(nil)
        let reply = try await model.engine().reply(
            to: LLMGenerationRequest(prompt: "user", options: options), tools: ToolOffer([Self.add], choice: choice)
        ) { event in
            if case .completed(let result) = event { completed.withLock { $0 = result } }
        }
        result = try #require(completed.withLock { $0 })
        calls = reply.calls.compactMap { call in
            guard case .accepted(let call) = call else { return nil }
            return "\(call.name) \(call.arguments.jsonString())"
        }
        allCalls = reply.calls.count
        incompleteCall = reply.incompleteCall
    }
}
