import CarbocationLocalLLM

/// One line for people about a call of a tool.
struct ToolLine: Hashable {
    let text: String

    /// The line of an event, nil for one that is not about calls.
    init?(_ event: LLMToolGenerationStreamEvent) {
        switch event {
        case .toolCallStarted(let call): text = Self.line("tool: \(call.name) \(call.arguments.jsonString())")
        case .toolCallCompleted(let output): text = Self.line("tool: \(output.name) → \(output.content.jsonString())")
        case .toolCallFailed(let output): text = Self.line("tool: \(output.name) failed: \(Self.reason(output))")
        case .completed(let result):
            guard let call = result.incompleteToolCall else { return nil }
            text = Self.line("cllm: warning: the reply ended within a tool call, which was not run: \(call)")
        case .generationEvent, .toolRoundStarted, .aggregateGenerationStats, .aggregateAccelerationStats: return nil
        }
    }

    /// Pages can be long.
    private static let maximumLength = 1000

    private static func line(_ text: String) -> String {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength)))
        return PlainText.clean(start) + (start.utf8.count < text.utf8.count ? "…" : "")
    }

    private static func reason(_ output: LLMToolOutput) -> String {
        output.content.value(forKey: "error")?.string(forKey: "message") ?? output.content.jsonString()
    }
}
