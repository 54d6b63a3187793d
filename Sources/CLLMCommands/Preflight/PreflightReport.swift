import CarbocationLocalLLM

/// The budget of a request for people and for programs.
struct PreflightReport {
    let budget: LLMGenerationPreflight

    var text: String {
        let exactness = budget.usesExactTokenCounts ? "" : " (estimated)"
        var lines = [
            "context: \(budget.loadedContextSize) tokens",
            "prompt: \(budget.promptTokens) tokens\(exactness)",
            "room for output: \(budget.availableOutputTokens) tokens",
            "most output: \(budget.effectiveMaxOutputTokens) tokens",
            "template: \(budget.templateMode.rawValue)",
            "fits: \(budget.canGenerate ? "yes" : "no")",
        ]
        if budget.modelTrainingContextSize > 0 { lines[0] += " of \(budget.modelTrainingContextSize)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines of `--stats`.
    func statistics(loadTime: Duration) -> String {
        """
        load: \(Figure.milliseconds(loadTime))
        context: \(budget.loadedContextSize) tokens
        prompt tokens: \(budget.promptTokens)

        """
    }

    var json: LLMJSONValue {
        [
            "loadedContextSize": .count(budget.loadedContextSize),
            "modelTrainingContextSize": .count(budget.modelTrainingContextSize),
            "promptTokens": .count(budget.promptTokens),
            "reservedOutputTokens": .count(budget.reservedOutputTokens),
            "availableOutputTokens": .count(budget.availableOutputTokens),
            "effectiveMaxOutputTokens": .count(budget.effectiveMaxOutputTokens),
            "canGenerate": .bool(budget.canGenerate),
            "usesExactTokenCounts": .bool(budget.usesExactTokenCounts),
            "templateMode": .string(budget.templateMode.rawValue),
        ]
    }
}
