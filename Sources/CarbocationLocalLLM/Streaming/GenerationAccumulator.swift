package import Foundation

/// Turns what a generation produces into its events and its result.
///
/// A value without clock and I/O: times are passed in as seconds since the request, events are handed to the closure
/// of each call. Call ``begin(emit:)`` first, then ``countToken(after:emit:)`` and the `append` methods per token, and
/// last either ``complete(_:emit:)`` or ``interrupt(promptTokens:stopReason:templateMode:emit:)``.
package struct GenerationAccumulator: Sendable {
    package typealias Emit = (LLMGenerationStreamEvent) -> Void

    /// What only the engine knows when a generation succeeds.
    package struct Summary: Sendable {
        package var stopReason: LLMStopReason
        package var promptTokens: Int
        package var cachedPromptTokens: Int
        package var templateMode: LLMChatTemplateMode
        package var seed: UInt32?
        package var accelerationStats: LLMGenerationAccelerationStats?
        /// Seconds since the request.
        package var duration: TimeInterval

        package init(
            stopReason: LLMStopReason,
            promptTokens: Int,
            cachedPromptTokens: Int = 0,
            templateMode: LLMChatTemplateMode = .unavailable,
            seed: UInt32? = nil,
            accelerationStats: LLMGenerationAccelerationStats? = nil,
            duration: TimeInterval
        ) {
            self.stopReason = stopReason
            self.promptTokens = promptTokens
            self.cachedPromptTokens = cachedPromptTokens
            self.templateMode = templateMode
            self.seed = seed
            self.accelerationStats = accelerationStats
            self.duration = duration
        }
    }

    /// The phase that output belongs to now.
    package private(set) var phase: LLMStreamContentPhase = .unknown
    /// Sampled and forced tokens so far.
    package private(set) var generatedTokens = 0
    /// The raw text so far.
    package private(set) var rawText = ""

    private var content = PhasedText()
    private var logprobs: [LLMTokenLogprobs]?

    /// Creates an empty generation; `collectsLogprobs` says that they were requested.
    package init(collectsLogprobs: Bool = false) {
        logprobs = collectsLogprobs ? [] : nil
    }

    /// The text of a phase so far.
    package func text(of phase: LLMStreamContentPhase) -> String {
        content.text(of: phase)
    }

    /// Announces the request.
    package func begin(emit: Emit) {
        emit(.requestSent(phase: phase))
    }

    /// Counts a token that does not end the generation; the first one is announced.
    package mutating func countToken(after elapsed: TimeInterval, emit: Emit) {
        if generatedTokens == 0 { emit(.firstByteReceived(after: elapsed, phase: phase)) }
        generatedTokens += 1
    }

    /// Raises the number of tokens to a count of all so far, such as an estimate; the first ones are announced.
    package mutating func countTokens(upTo count: Int, after elapsed: TimeInterval, emit: Emit) {
        guard count > generatedTokens else { return }
        if generatedTokens == 0 { emit(.firstByteReceived(after: elapsed, phase: phase)) }
        generatedTokens = count
    }

    /// Makes output belong to another phase, and announces it if it is not the current one.
    package mutating func enter(_ newPhase: LLMStreamContentPhase, emit: Emit) {
        guard newPhase != phase else { return }
        emit(.phaseChanged(from: phase, to: newPhase))
        phase = newPhase
    }

    /// Appends text without any phases: raw text and answer at once.
    package mutating func append(_ text: String, emit: Emit) {
        guard !text.isEmpty else { return }
        enter(.final, emit: emit)
        appendRaw(text, emit: emit)
        appendContent(text, to: .final, emit: emit)
    }

    /// Appends raw text, markers included.
    package mutating func appendRaw(_ text: String, emit: Emit) {
        guard !text.isEmpty else { return }
        rawText += text
        emit(.tokenChunk(preview: text, bytesSoFar: rawText.utf8.count, phase: phase))
    }

    /// Appends text without markers to a phase, entering it if need be.
    package mutating func appendContent(_ text: String, to contentPhase: LLMStreamContentPhase, emit: Emit) {
        guard !text.isEmpty else { return }
        enter(contentPhase, emit: emit)
        let delta = content.append(text, to: contentPhase)
        let bytesSoFar = content.text(of: contentPhase).utf8.count
        emit(.contentDelta(phase: contentPhase, text: delta, bytesSoFar: bytesSoFar))
    }

    /// Ends the current segment, so that further text of the same phase begins another.
    package mutating func endSegment() {
        content.endSegment()
    }

    /// Replaces the whole text of a phase, entering it if need be.
    package mutating func replaceContent(
        of contentPhase: LLMStreamContentPhase,
        with text: String,
        reason: LLMGenerationContentSnapshotReason,
        emit: Emit
    ) {
        enter(contentPhase, emit: emit)
        content.replace(contentPhase, with: text)
        emit(.contentSnapshot(phase: contentPhase, text: text, bytesSoFar: text.utf8.count, reason: reason))
    }

    /// Adds the probabilities of a content token; dropped when they were not requested.
    package mutating func append(_ token: LLMTokenLogprobs, emit: Emit) {
        guard logprobs != nil else { return }
        logprobs?.append(token)
        emit(.tokenLogprobs(token))
    }

    /// Ends a success: statistics, `done` and `completed`.
    package func complete(_ summary: Summary, emit: Emit) {
        if let stats = summary.accelerationStats { emit(.accelerationStats(stats)) }
        emit(
            .generationStats(
                promptTokens: summary.promptTokens, generatedTokens: generatedTokens,
                stopReason: summary.stopReason, templateMode: summary.templateMode, phase: phase))
        emit(.done(totalBytes: rawText.utf8.count, duration: summary.duration, phase: phase))
        emit(.completed(result(summary)))
    }

    /// Ends a generation that failed or was cancelled; the error itself is the caller's to throw.
    ///
    /// Text that was held back must have been appended before. Without `promptTokens`, when the prompt was never
    /// read, nothing is announced.
    package func interrupt(
        promptTokens: Int?,
        stopReason: LLMStopReason = .cancelled,
        templateMode: LLMChatTemplateMode = .unavailable,
        emit: Emit
    ) {
        guard let promptTokens else { return }
        emit(
            .generationStats(
                promptTokens: promptTokens, generatedTokens: generatedTokens, stopReason: stopReason,
                templateMode: templateMode, phase: phase))
    }

    private func result(_ summary: Summary) -> LLMGenerationResult {
        LLMGenerationResult(
            thinkingText: content.text(of: .thinking),
            finalText: content.text(of: .final),
            phaseSegments: content.segments,
            stopReason: summary.stopReason,
            promptTokens: summary.promptTokens,
            cachedPromptTokens: summary.cachedPromptTokens,
            generatedTokens: generatedTokens,
            templateMode: summary.templateMode,
            seed: summary.seed,
            logprobs: logprobs,
            accelerationStats: summary.accelerationStats,
            rawGeneratedText: rawText
        )
    }
}
