public import CarbocationLocalLLM
import Foundation

extension LlamaEngine {
    /// Says whether a request fits and how much output it leaves room for.
    ///
    /// Renders and tokenises exactly, and compiles the grammar, so that their errors surface here too. Changes no
    /// state and computes nothing with the weights.
    ///
    /// - Parameter request: What would be generated.
    /// - Returns: The budget. A prompt that does not fit is a normal answer.
    /// - Throws: `LLMEngineError.noModelLoaded`, `.invalidOptions`, `.invalidRequest`, `.chatTemplateUnavailable`,
    ///   `.grammarParseFailed` or `.unsupportedSchema`.
    public func preflight(_ request: LLMGenerationRequest) async throws -> LLMGenerationPreflight {
        try await preflight(request, ledger: [])
    }

    /// The same for a reply that may call tools, whose definitions are part of the prompt.
    package func preflight(
        _ request: LLMGenerationRequest, tools: ToolOffer?
    ) async throws -> LLMGenerationPreflight {
        try await preflight(request, tools: tools, ledger: [])
    }

    /// The same for a prompt that `ledger` may stand for the beginning of.
    func preflight(
        _ request: LLMGenerationRequest, tools: ToolOffer? = nil, ledger: [Token]
    ) async throws -> LLMGenerationPreflight {
        let model = try requireLoaded(validating: request)
        return try await preflight(request, tools: tools, ledger: ledger, on: model)
    }

    /// The same for a model that the caller keeps.
    func preflight(
        _ request: LLMGenerationRequest, tools: ToolOffer?, ledger: [Token], on model: LoadedModel
    ) async throws -> LLMGenerationPreflight {
        try await prepare(request, tools: tools, ledger: ledger, for: model).preflight
    }

    /// A stream that generates when it is iterated.
    ///
    /// - Parameter request: The conversation and how to continue it.
    /// - Returns: The generation, which starts with the first `next()` of an iterator.
    public nonisolated func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream {
        LLMGenerationStream { emit in try await self.generate(request, emit: emit) }
    }

    /// A stream that generates with tools when it is iterated.
    ///
    /// Calls and outputs are written as the model's template writes them; a template that knows no tools gets them as
    /// text. What the replies of a run have in common stays in the KV cache, so that each continues with the new tokens
    /// only. The model stays loaded until the run is over.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - control: A handle to end the thinking, valid during the whole run.
    /// - Returns: The run, which starts with the first `next()` of an iterator.
    public nonisolated func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            let loop = try ToolLoop(request, control: control)
            _ = try await self.run(loop, validating: request, emit: emit)
        }
    }

    /// Runs a loop of tools with the model that is loaded; what `ledger` holds stands for the beginning of the prompt.
    func run(
        _ loop: ToolLoop, validating request: LLMToolGenerationRequest, ledger: [Token] = [],
        emit: @escaping ToolLoop.Emit
    ) async throws -> (messages: [LLMChatMessage], ledger: [Token]) {
        let model = try beginLease(validating: request.plain(control: nil))
        defer { endLease() }
        let replies = LlamaToolReplies(engine: self, model: model, ledger: ledger)
        try await loop.run(on: replies, emit: emit)
        return await (replies.messages, replies.ledger)
    }

    /// Generates one reply that may call tools.
    ///
    /// - Parameters:
    ///   - request: The conversation; its last message may be a tool's output.
    ///   - tools: The tools; nil for plain text.
    ///   - emit: Receives the events; the text of calls is in none of their contents.
    /// - Returns: The calls.
    /// - Throws: What ``stream(_:)`` throws, and `LLMToolError`.
    package nonisolated func reply(
        to request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        try await generate(request, tools: tools, emit: emit).toolReply
    }

    /// Generates one reply; what `ledger` holds stands for the beginning of the prompt, see ``LedgerAlignment``.
    @discardableResult
    func generate(
        _ request: LLMGenerationRequest, tools: ToolOffer? = nil, ledger: [Token] = [],
        emit: @escaping GenerationRun.Emit
    ) async throws -> (toolReply: ToolReply, ledger: [Token]) {
        let model = try beginLease(validating: request)
        defer { endLease() }
        return try await generate(request, tools: tools, ledger: ledger, on: model, emit: emit)
    }

    /// The same with a model that the caller keeps, for a request that was checked.
    func generate(
        _ request: LLMGenerationRequest, tools: ToolOffer?, ledger: [Token], on model: LoadedModel,
        emit: @escaping GenerationRun.Emit
    ) async throws -> (toolReply: ToolReply, ledger: [Token]) {
        let clock = GenerationClock()
        let registration = request.control?.beginGeneration()
        defer { registration?.end() }
        emit(.requestSent(phase: .unknown))
        let generation = try await prepare(request, tools: tools, ledger: ledger, for: model)
        if generation.speculation.status == .runtimeUnavailable, let reason = model.speculation.failure {
            emit(.diagnostic(message: reason))
        }
        let run = GenerationRun(generation, model: model.model, control: registration, clock: clock, emit: emit)
        do {
            try generation.preflight.requireBudget()
        } catch {
            run.reportStatistics(stopReason: .contextFull)
            throw error
        }
        try run.conclude(await perform(run, generation, on: model))
        return (run.toolReply, generation.tokens + run.tokens)
    }

    private func prepare(
        _ request: LLMGenerationRequest, tools: ToolOffer? = nil, ledger: [Token] = [], for model: LoadedModel
    ) async throws -> PreparedGeneration {
        let reserve = configuration.promptReserveTokens
        let adjustsThreads = configuration.threadCount == nil
        return try await work.runAbandoning { signal in
            if adjustsThreads { model.loop.setCores(.current()) }
            return try PreparedGeneration(
                request, tools: tools, ledger: ledger, model: model, reserve: reserve, cancellation: signal)
        }
    }

    private func perform(
        _ run: GenerationRun, _ generation: PreparedGeneration, on model: LoadedModel
    ) async -> JobOutcome {
        let id = nextJobID()
        let heartbeat = Task { [interval = configuration.heartbeatInterval] in
            await run.beat(every: interval)
        }
        defer { heartbeat.cancel() }
        return await withTaskCancellationHandler {
            model.loop.submit(model.job(for: generation, id: id, output: run))
            // A cancellation before the submission found no job to cancel.
            if Task.isCancelled { model.loop.cancel(id) }
            let outcome = await run.outcome()
            lastReuse = outcome.reuse
            return outcome
        } onCancel: {
            model.loop.cancel(id)
        }
    }
}
