import CarbocationLocalLLM

/// The JSON form of the events that programs can follow.
enum EventLine {
    /// The object of an event, nil for one that is not part of the format.
    ///
    /// `done` stands for the completed result, which is the first to know the seed and the usage.
    static func object(for event: LLMGenerationStreamEvent) -> LLMJSONValue? {
        switch event {
        case .requestSent(let phase): ["type": "requestSent", "phase": name(phase)]
        case .firstByteReceived(let seconds, let phase):
            ["type": "firstByteReceived", "phase": name(phase), "seconds": .double(seconds)]
        case .phaseChanged(let old, let new): ["type": "phaseChanged", "from": name(old), "to": name(new)]
        case .contentDelta(let phase, let text, _):
            ["type": "contentDelta", "phase": name(phase), "text": .string(text)]
        case .contentSnapshot(let phase, let text, _, let reason):
            [
                "type": "contentSnapshot", "phase": name(phase), "text": .string(text),
                "reason": .string(reason.rawValue),
            ]
        case .generationStats(let promptTokens, let generatedTokens, let stopReason, let templateMode, let phase):
            [
                "type": "generationStats", "promptTokens": count(promptTokens),
                "generatedTokens": count(generatedTokens), "stopReason": .string(stopReason.rawValue),
                "templateMode": .string(templateMode.rawValue), "phase": name(phase),
            ]
        case .accelerationStats(let stats): .object(acceleration(stats))
        case .tokenLogprobs(let token):
            [
                "type": "tokenLogprobs", "chosen": candidate(token.chosen),
                "top": .array(token.top.map(candidate)),
            ]
        case .completed(let result): .object(done(result))
        case .tokenChunk, .diagnostic, .done: nil
        }
    }

    static func error(_ report: FailureReport) -> LLMJSONValue {
        ["type": "error", "code": .string(report.code), "message": .string(report.message)]
    }

    /// The line that ends a generation.
    static func done(_ result: LLMGenerationResult) -> LLMJSONObject {
        [
            "type": "done",
            "stopReason": .string(result.stopReason.rawValue),
            "seed": .count(result.seed),
            "usage": [
                "promptTokens": count(result.promptTokens),
                "cachedPromptTokens": count(result.cachedPromptTokens),
                "generatedTokens": count(result.generatedTokens),
            ],
        ]
    }

    static func acceleration(_ stats: LLMGenerationAccelerationStats) -> LLMJSONObject {
        [
            "type": "accelerationStats", "status": .string(stats.status.rawValue),
            "accelerator": .string(stats.accelerator), "maxDraftTokens": count(stats.maxDraftTokens),
            "draftCalls": count(stats.draftCalls), "draftTokensGenerated": count(stats.draftTokensGenerated),
            "draftTokensAccepted": count(stats.draftTokensAccepted),
        ]
    }

    private static func candidate(_ candidate: LLMTokenLogprobs.Candidate) -> LLMJSONValue {
        [
            "token": .int(Int64(candidate.token)), "text": .string(candidate.text),
            "bytes": .array(candidate.bytes.map { .int(Int64($0)) }), "logprob": .double(candidate.logprob),
        ]
    }

    private static func name(_ phase: LLMStreamContentPhase) -> LLMJSONValue { .string(phase.rawValue) }

    static func count(_ number: Int) -> LLMJSONValue { .int(Int64(number)) }
}
