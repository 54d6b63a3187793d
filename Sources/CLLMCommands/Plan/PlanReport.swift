import CarbocationLocalLLM
import CarbocationLocalLLMRuntime

/// A plan for people and for programs.
struct PlanReport {
    let plan: ModelPlan

    var text: String {
        let training = plan.trainingContext > 0 ? "\(plan.trainingContext) tokens" : "unknown"
        let calibrated = plan.calibratedMaximum.map { "\($0) tokens" } ?? "not calibrated"
        let lines = [
            "model: \(PlainText.clean(plan.displayName))",
            "selection: \(plan.selection?.storageValue ?? "none, the file is not in the library")",
            "context: \(plan.requestedContext) tokens (\(plan.mode.rawValue))",
            "training context: \(training)",
            "calibrated maximum: \(calibrated)",
            "can: \(Self.abilities(plan.capabilities).joined(separator: ", "))",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    var json: LLMJSONValue {
        [
            "selection": .text(plan.selection?.storageValue), "displayName": .string(plan.displayName),
            "requestedContext": .count(plan.requestedContext), "mode": .string(plan.mode.rawValue),
            "trainingContext": .count(plan.trainingContext), "calibratedMaximum": .count(plan.calibratedMaximum),
            "capabilities": Self.json(plan.capabilities),
        ]
    }

    private static func abilities(_ capabilities: LocalLLMModelCapabilities) -> [String] {
        [
            (capabilities.supportsGrammar, "grammar"), (capabilities.usesExactTokenCounts, "exact token counts"),
            (capabilities.supportsTools, "tools"), (capabilities.thinkingCapabilities.supportsThinking, "thinking"),
            (capabilities.thinkingCapabilities.supportsReasoningEffort, "reasoning effort"),
            (capabilities.supportsMTPAcceleration, "prediction of several tokens"),
        ].compactMap { $0 ? $1 : nil }
    }

    private static func json(_ capabilities: LocalLLMModelCapabilities) -> LLMJSONValue {
        [
            "supportsGrammar": .bool(capabilities.supportsGrammar),
            "usesExactTokenCounts": .bool(capabilities.usesExactTokenCounts),
            "contextSize": .count(capabilities.contextSize),
            "supportsMTPAcceleration": .bool(capabilities.supportsMTPAcceleration),
            "supportsTools": .bool(capabilities.supportsTools),
            "thinkingCapabilities": json(capabilities.thinkingCapabilities),
        ]
    }

    private static func json(_ thinking: LLMThinkingCapabilities) -> LLMJSONValue {
        [
            "supportsThinking": .bool(thinking.supportsThinking),
            "supportsReasoningEffort": .bool(thinking.supportsReasoningEffort),
            "supportsPreserveThinking": .bool(thinking.supportsPreserveThinking),
            "defaultPreserveThinking": thinking.defaultPreserveThinking.map { .bool($0) } ?? .null,
            "supportedReasoningEfforts":
                thinking.supportedReasoningEfforts.map { .array($0.map { .string($0.rawValue) }) } ?? .null,
            "defaultReasoningEffort": .text(thinking.defaultReasoningEffort?.rawValue),
        ]
    }
}
