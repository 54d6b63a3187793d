/// Runs a request with tools: replies and calls in turn, until a reply has no more calls.
package struct ToolLoop: Sendable {
    package typealias Emit = @Sendable (LLMToolGenerationStreamEvent) -> Void

    private let request: LLMToolGenerationRequest
    private let offer: ToolOffer?
    private let control: LLMGenerationControl?
    private let clock: any Clock<Duration>

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - control: A handle to end the thinking, valid during the whole run.
    ///   - clock: Measures the tools' timeouts.
    /// - Throws: ``LLMToolError`` for a request that contradicts itself and for tools that cannot be used.
    package init(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        self.request = request
        offer = try request.checkedOffer()
        self.control = control
        self.clock = clock
    }

    /// Whether the run is a plain generation, because there are no tools or none may be used.
    package var isPlain: Bool { offer == nil }

    /// Runs on an engine.
    ///
    /// - Parameters:
    ///   - engine: Generates the replies.
    ///   - emit: Receives the events, `completed` last.
    /// - Returns: The result.
    /// - Throws: What replies throw; `CancellationError` when this task or a tool was cancelled. The aggregate statistics
    ///   come before, if any prompt was read.
    @discardableResult
    package func run(
        on engine: any ToolReplying, emit: @escaping Emit
    ) async throws -> LLMToolPhasedGenerationResult {
        let registration = control?.beginGeneration()
        defer { registration?.end() }
        let run = ToolRun(engine: engine, control: registration?.controlOfRun(), emit: emit)
        do {
            guard let offer else { return try await runPlainly(run) }
            return try await self.run(run, offer: offer)
        } catch {
            run.reportStatistics(stopReason: error is CancellationError ? .cancelled : .failed)
            throw error
        }
    }

    private func runPlainly(_ run: ToolRun) async throws -> LLMToolPhasedGenerationResult {
        let (_, result) = try await run.reply(to: request.messages, options: request.options, tools: nil)
        return run.complete(LLMToolPhasedGenerationResult(generation: result, stopReason: result.stopReason))
    }

    private func run(_ run: ToolRun, offer: ToolOffer) async throws -> LLMToolPhasedGenerationResult {
        let runner = ToolCallRunner(request, clock: clock)
        var rounds = ToolRounds(request, offer: offer)
        while true {
            let segment = rounds.next
            let (reply, result) = try await run.reply(
                to: segment.messages, options: segment.options, tools: segment.offer)
            run.reportLostCalls(of: reply, isLast: segment.offer.isWithheld)
            guard case .answer(let calls, let round) = rounds.take(reply, of: result) else {
                return run.complete(run.result(of: rounds))
            }
            rounds.answer(try await run.outputs(of: calls, by: runner, round: round, before: rounds.next))
        }
    }
}
