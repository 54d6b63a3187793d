import CarbocationLocalLLM

/// A run with tools: one reply of the system, with the calls that it makes by itself.
struct SystemToolRun: Sendable {
    /// What the run gave.
    struct Outcome: Sendable {
        let result: LLMToolPhasedGenerationResult
        /// What follows the prompt in the conversation.
        let messages: [LLMChatMessage]
    }

    private let request: LLMToolGenerationRequest
    private let prepared: PreparedGeneration
    private let clock: any Clock<Duration>

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - configuration: How the model is used.
    ///   - clock: Measures time, that of tools too.
    /// - Throws: `LLMToolError`, ``AppleIntelligenceError`` and the errors of requests.
    init(
        _ request: LLMToolGenerationRequest, configuration: AppleIntelligenceConfiguration, clock: any Clock<Duration>
    ) throws {
        _ = try SystemModelAccess.model()
        self.request = request
        self.clock = clock
        prepared = try PreparedGeneration(
            request.messages, options: request.options, offer: try request.checkedOffer(),
            configuration: configuration)
    }

    /// Runs, and sends all events but the last one.
    ///
    /// - Parameter emit: Receives the events.
    /// - Returns: What the last event tells, and the messages.
    /// - Throws: What replies throw, after the aggregate statistics, if there are any.
    func run(emit: @escaping ToolLoop.Emit) async throws -> Outcome {
        let statistics = Locked<(prompt: Int, generated: Int)?>(nil)
        let report = { @Sendable (reason: LLMStopReason) in
            guard let (prompt, generated) = statistics.withLock({ $0 }) else { return }
            emit(.aggregateGenerationStats(promptTokens: prompt, generatedTokens: generated, stopReason: reason))
        }
        do {
            let outcome = try await generate { event in
                if case .generationStats(let prompt, let generated, _, _, _) = event {
                    statistics.withLock { $0 = (prompt, generated) }
                }
                emit(.generationEvent(event))
            } toolEvents: {
                emit($0)
            }
            report(outcome.result.stopReason)
            return outcome
        } catch {
            report(error is CancellationError ? .cancelled : .failed)
            throw error
        }
    }

    private func generate(
        events emit: @escaping SystemReply.Emit, toolEvents: @escaping ToolLoop.Emit
    ) async throws -> Outcome {
        let generation = SystemGeneration(prepared: prepared, clock: clock)
        guard prepared.offer != nil else {
            let result = try await generation.run(emit: emit).result
            return Outcome(
                result: LLMToolPhasedGenerationResult(generation: result, stopReason: result.stopReason),
                messages: [result.assistantMessage])
        }
        let gateway = ToolGateway(request, prepared: prepared, clock: clock, emit: toolEvents)
        var result = try await generation.run(tools: gateway, emit: emit).result
        if await gateway.isLimitReached { result.stopReason = .maxToolRounds }
        return Outcome(
            result: LLMToolPhasedGenerationResult(
                generation: result, toolCalls: await gateway.calls, toolOutputs: await gateway.outputs,
                roundsCompleted: await gateway.roundsCompleted, stopReason: result.stopReason),
            messages: await gateway.messages + [result.assistantMessage])
    }
}
