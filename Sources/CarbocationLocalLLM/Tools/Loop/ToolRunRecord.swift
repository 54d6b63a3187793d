/// What the replies of a run add up to.
///
/// Events go through it one by one; what each reply counts from its own beginning then counts from that of the run.
package struct ToolRunRecord: Sendable {
    /// Tokens of all replies, also of one that failed.
    private(set) var promptTokens = 0
    private(set) var generatedTokens = 0
    private(set) var accelerationStats: LLMGenerationAccelerationStats?
    /// Whether any prompt was read.
    private(set) var hasStatistics = false
    /// The result of the last reply that was completed.
    private(set) var lastResult: LLMGenerationResult?

    private var results: [LLMGenerationResult] = []
    /// The texts of the replies before the current one.
    private var earlierAnswer = ""
    private var earlierThinking = ""
    private var earlierRawBytes = 0

    package init() {}

    /// Takes an event of a reply.
    ///
    /// - Returns: The event as one of the run.
    mutating func take(_ event: LLMGenerationStreamEvent) -> LLMGenerationStreamEvent {
        switch event {
        case .tokenChunk(let preview, let bytes, let phase):
            return .tokenChunk(preview: preview, bytesSoFar: earlierRawBytes + bytes, phase: phase)
        case .contentDelta(let phase, let text, let bytes):
            return delta(of: phase, text, replyBytes: bytes)
        case .contentSnapshot(let phase, let text, _, let reason):
            let whole = earlier(phase) + text
            return .contentSnapshot(phase: phase, text: whole, bytesSoFar: whole.utf8.count, reason: reason)
        case .accelerationStats(let stats):
            if accelerationStats?.merge(stats) == nil { accelerationStats = stats }
        case .generationStats(let promptTokens, let generatedTokens, _, _, _):
            hasStatistics = true
            self.promptTokens = self.promptTokens.addingSaturated(promptTokens)
            self.generatedTokens = self.generatedTokens.addingSaturated(generatedTokens)
        case .done(let bytes, let duration, let phase):
            return .done(totalBytes: earlierRawBytes + bytes, duration: duration, phase: phase)
        case .completed(let result): end(result)
        case .requestSent, .firstByteReceived, .phaseChanged, .tokenLogprobs, .diagnostic: break
        }
        return event
    }

    /// All replies as one.
    func generation(stopReason: LLMStopReason) -> LLMGenerationResult {
        LLMGenerationResult(
            thinkingText: earlierThinking, finalText: earlierAnswer,
            phaseSegments: results.flatMap(\.phaseSegments), stopReason: stopReason, promptTokens: promptTokens,
            cachedPromptTokens: results.reduce(0) { $0.addingSaturated($1.cachedPromptTokens) },
            generatedTokens: generatedTokens, templateMode: lastResult?.templateMode ?? .unavailable,
            seed: results.lazy.compactMap(\.seed).first,
            logprobs: results.contains { $0.logprobs != nil } ? results.flatMap { $0.logprobs ?? [] } : nil,
            accelerationStats: accelerationStats,
            rawGeneratedText: results.contains { $0.rawGeneratedText != nil }
                ? results.map { $0.rawGeneratedText ?? "" }.joined() : nil)
    }

    /// The text of a phase before the current reply, with what joins its thinking to it.
    private func earlier(_ phase: LLMStreamContentPhase) -> String {
        switch phase {
        case .final: earlierAnswer
        case .thinking where !earlierThinking.isEmpty: earlierThinking + PhasedText.segmentSeparator
        case .thinking, .unknown: ""
        }
    }

    private func delta(of phase: LLMStreamContentPhase, _ text: String, replyBytes: Int) -> LLMGenerationStreamEvent {
        let isJoined = phase == .thinking && !earlierThinking.isEmpty
        let isFirst = replyBytes == text.utf8.count
        let earlierBytes =
            switch phase {
            case .final: earlierAnswer.utf8.count
            case .thinking: earlierThinking.utf8.count + (isJoined ? PhasedText.segmentSeparator.utf8.count : 0)
            case .unknown: 0
            }
        return .contentDelta(
            phase: phase, text: (isJoined && isFirst ? PhasedText.segmentSeparator : "") + text,
            bytesSoFar: earlierBytes + replyBytes)
    }

    private mutating func end(_ result: LLMGenerationResult) {
        results.append(result)
        lastResult = result
        if !result.thinkingText.isEmpty { earlierThinking = earlier(.thinking) + result.thinkingText }
        earlierAnswer += result.finalText
        earlierRawBytes += result.rawGeneratedText?.utf8.count ?? 0
    }
}
