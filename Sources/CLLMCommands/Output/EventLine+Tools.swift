import CarbocationLocalLLM

extension EventLine {
    /// The object of an event of a run with tools, nil for one that is not part of the format.
    ///
    /// The figures of the whole run have `aggregate`, those of each reply have not. `done` stands for the end of the
    /// run only.
    static func object(for event: LLMToolGenerationStreamEvent) -> LLMJSONValue? {
        switch event {
        case .generationEvent(.completed): return nil
        case .generationEvent(let event): return object(for: event)
        case .toolRoundStarted(let round): return ["type": "toolRoundStarted", "round": count(round)]
        case .toolCallStarted(let call):
            var line = fields(of: call)
            line["type"] = "toolCallStarted"
            return .object(line)
        case .toolCallCompleted(let output): return answer(output, type: "toolCallCompleted")
        case .toolCallFailed(let output): return answer(output, type: "toolCallFailed")
        case .aggregateGenerationStats(let promptTokens, let generatedTokens, let stopReason):
            return [
                "type": "generationStats", "aggregate": true, "promptTokens": count(promptTokens),
                "generatedTokens": count(generatedTokens), "stopReason": .string(stopReason.rawValue),
            ]
        case .aggregateAccelerationStats(let stats):
            var line = acceleration(stats)
            line["aggregate"] = true
            return .object(line)
        case .completed(let result): return done(result)
        }
    }

    /// What is known about a call.
    static func fields(of call: LLMToolCall) -> LLMJSONObject {
        [
            "id": .string(call.id), "rawID": .text(call.rawID), "name": .string(call.name),
            "arguments": call.arguments, "triggerPhase": .text(call.triggerPhase?.rawValue),
        ]
    }

    private static func answer(_ output: LLMToolOutput, type: String) -> LLMJSONValue {
        [
            "type": .string(type), "callID": .string(output.callID), "name": .string(output.name),
            "content": output.content, "isError": .bool(output.isError),
        ]
    }

    private static func done(_ result: LLMToolPhasedGenerationResult) -> LLMJSONValue {
        var line = done(result.generation)
        line["stopReason"] = .string(result.stopReason.rawValue)
        line["roundsCompleted"] = count(result.roundsCompleted)
        line["toolCalls"] = count(result.toolCalls.count)
        line["incompleteToolCall"] = .text(result.incompleteToolCall)
        return .object(line)
    }
}
