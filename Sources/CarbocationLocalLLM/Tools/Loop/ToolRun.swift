/// What one run of a loop of tools does: it asks the engine, runs calls and tells about both.
struct ToolRun: Sendable {
    private let engine: any ToolReplying
    private let control: LLMGenerationControl?
    private let emit: ToolLoop.Emit
    private let record = Locked(ToolRunRecord())

    init(engine: any ToolReplying, control: LLMGenerationControl?, emit: @escaping ToolLoop.Emit) {
        self.engine = engine
        self.control = control
        self.emit = emit
    }

    /// Generates one reply.
    func reply(
        to messages: [LLMChatMessage], options: GenerationOptions, tools: ToolOffer?
    ) async throws -> (ToolReply, LLMGenerationResult) {
        try Task.checkCancellation()
        let request = LLMGenerationRequest(messages: messages, options: options, control: control)
        let ended = Locked<LLMGenerationResult?>(nil)
        let reply = try await engine.reply(to: request, tools: tools) { [record, emit] event in
            if case .completed(let result) = event { ended.withLock { $0 = result } }
            emit(.generationEvent(record.withLock { $0.take(event) }))
        }
        guard let result = ended.withLock({ $0 }) else {
            throw LLMEngineError.decodeFailed("the generation ended without a result")
        }
        return (reply, result)
    }

    /// Answers calls.
    func outputs(
        of calls: [PlannedToolCall], by runner: ToolCallRunner, round: Int?, before next: ToolRounds.Segment
    ) async throws -> [LLMToolOutput] {
        if let round { emit(.toolRoundStarted(round: round)) }
        var room = ToolOutputRoom(
            request: LLMGenerationRequest(messages: next.messages, options: next.options), calls: calls.count
        ) { [engine] in
            try await engine.preflight($0, tools: next.offer)
        }
        return try await runner.outputs(of: calls) { output in
            try await room.admit(output)
        } onEvent: { event in
            switch event {
            case .started(let call): emit(.toolCallStarted(call))
            case .answered(let output):
                emit(output.isError ? .toolCallFailed(output) : .toolCallCompleted(output))
            }
        }
    }

    /// Tells about calls that are neither run nor answered.
    func reportLostCalls(of reply: ToolReply, isLast: Bool) {
        if let call = reply.incompleteCall {
            report("the reply ended within a tool call of \(call.utf8.count) bytes, which was not run")
        }
        if isLast, !reply.calls.isEmpty {
            report("\(reply.calls.count) tool calls beyond the limit of rounds were dropped")
        }
    }

    /// What a run that is over gave.
    func result(of rounds: ToolRounds) -> LLMToolPhasedGenerationResult {
        LLMToolPhasedGenerationResult(
            generation: record.withLock { $0.generation(stopReason: rounds.stopReason) },
            toolCalls: rounds.calls, toolOutputs: rounds.outputs, roundsCompleted: rounds.roundsCompleted,
            stopReason: rounds.stopReason, incompleteToolCall: rounds.incompleteCall)
    }

    /// Sends what the replies add up to, if any prompt was read.
    func reportStatistics(stopReason: LLMStopReason) {
        let record = record.withLock { $0 }
        guard record.hasStatistics else { return }
        if let stats = record.accelerationStats { emit(.aggregateAccelerationStats(stats)) }
        emit(
            .aggregateGenerationStats(
                promptTokens: record.promptTokens, generatedTokens: record.generatedTokens, stopReason: stopReason))
    }

    /// Ends a success.
    func complete(_ result: LLMToolPhasedGenerationResult) -> LLMToolPhasedGenerationResult {
        reportStatistics(stopReason: result.stopReason)
        emit(.completed(result))
        return result
    }

    private func report(_ message: String) {
        emit(.generationEvent(.diagnostic(message: message)))
    }
}
