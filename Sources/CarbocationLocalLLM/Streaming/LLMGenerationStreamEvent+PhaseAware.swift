extension LLMGenerationStreamEvent {
    /// The general form of a phase-aware event; ``phaseAwareEvent`` leads back.
    public init(adapting event: LLMPhaseAwareStreamEvent) {
        switch event {
        case .requestSent(let phase): self = .requestSent(phase: phase)
        case .firstByteReceived(let after, let phase): self = .firstByteReceived(after: after, phase: phase)
        case .phaseChanged(let from, let to): self = .phaseChanged(from: from, to: to)
        case .tokenChunk(let preview, let bytesSoFar, let phase):
            self = .tokenChunk(preview: preview, bytesSoFar: bytesSoFar, phase: phase)
        case .finalAnswerDelta(let text, let bytesSoFar):
            self = .contentDelta(phase: .final, text: text, bytesSoFar: bytesSoFar)
        case .finalAnswerSnapshot(let text, let bytesSoFar, let reason):
            self = .contentSnapshot(
                phase: .final, text: text, bytesSoFar: bytesSoFar,
                reason: LLMGenerationContentSnapshotReason(adapting: reason))
        case .generationStats(let promptTokens, let generatedTokens, let stopReason, let templateMode, let phase):
            self = .generationStats(
                promptTokens: promptTokens, generatedTokens: generatedTokens, stopReason: stopReason,
                templateMode: templateMode, phase: phase)
        case .tokenLogprobs(let logprobs): self = .tokenLogprobs(logprobs)
        case .accelerationStats(let stats): self = .accelerationStats(stats)
        case .diagnostic(let message): self = .diagnostic(message: message)
        case .done(let totalBytes, let duration, let phase):
            self = .done(totalBytes: totalBytes, duration: duration, phase: phase)
        }
    }

    /// The event for callers that are shown the answer only.
    ///
    /// Nil for thinking and for text of an unknown phase, and for ``completed(_:)``.
    public var phaseAwareEvent: LLMPhaseAwareStreamEvent? {
        switch self {
        case .requestSent(let phase): .requestSent(phase: phase)
        case .firstByteReceived(let after, let phase): .firstByteReceived(after: after, phase: phase)
        case .phaseChanged(let from, let to): .phaseChanged(from: from, to: to)
        case .tokenChunk(let preview, let bytesSoFar, let phase):
            .tokenChunk(preview: preview, bytesSoFar: bytesSoFar, phase: phase)
        case .contentDelta(.final, let text, let bytesSoFar):
            .finalAnswerDelta(text: text, bytesSoFar: bytesSoFar)
        case .contentSnapshot(.final, let text, let bytesSoFar, let reason):
            .finalAnswerSnapshot(
                text: text, bytesSoFar: bytesSoFar, reason: LLMFinalAnswerSnapshotReason(adapting: reason))
        case .generationStats(let promptTokens, let generatedTokens, let stopReason, let templateMode, let phase):
            .generationStats(
                promptTokens: promptTokens, generatedTokens: generatedTokens, stopReason: stopReason,
                templateMode: templateMode, phase: phase)
        case .tokenLogprobs(let logprobs): .tokenLogprobs(logprobs)
        case .accelerationStats(let stats): .accelerationStats(stats)
        case .diagnostic(let message): .diagnostic(message: message)
        case .done(let totalBytes, let duration, let phase):
            .done(totalBytes: totalBytes, duration: duration, phase: phase)
        case .contentDelta, .contentSnapshot, .completed:
            nil
        }
    }
}

extension LLMGenerationContentSnapshotReason {
    fileprivate init(adapting reason: LLMFinalAnswerSnapshotReason) {
        switch reason {
        case .streamCorrection: self = .streamCorrection
        case .completed: self = .completed
        }
    }
}

extension LLMFinalAnswerSnapshotReason {
    fileprivate init(adapting reason: LLMGenerationContentSnapshotReason) {
        switch reason {
        case .streamCorrection: self = .streamCorrection
        case .completed: self = .completed
        }
    }
}
