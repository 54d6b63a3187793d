import CarbocationLocalLLM
import Foundation

/// Asks the system's model for one reply, in the course of which it may call tools.
struct SystemGeneration: Sendable {
    /// What a reply gave.
    struct Outcome: Sendable {
        let result: LLMGenerationResult
        /// The conversation behind the reply, as far as it is what the caller knows of it.
        let conversation: (any SystemConversation)?
    }

    let prepared: PreparedGeneration
    let clock: any Clock<Duration>

    /// Generates the reply.
    ///
    /// - Parameters:
    ///   - conversation: A conversation that has come to the prompt already.
    ///   - tools: Answers the calls; nil without tools.
    ///   - emit: Receives the events.
    /// - Returns: The result.
    /// - Throws: ``AppleIntelligenceError``, what tools throw, and the errors of generations; `CancellationError` once
    ///   the task is cancelled.
    func run(
        in conversation: (any SystemConversation)? = nil, tools: ToolGateway? = nil,
        emit: @escaping SystemReply.Emit
    ) async throws -> Outcome {
        let reply = SystemReply(prepared.format, time: ElapsedTime(on: clock), emit: emit)
        // The system may take its time, also when nobody waits any more.
        let budget = (try? await Cancellable.value { await prepared.budget() }) ?? prepared.estimatedBudget
        do {
            try Task.checkCancellation()
            try budget.requireBudget()
        } catch {
            let reason: LLMStopReason = error is CancellationError ? .cancelled : .contextFull
            reply.interrupt(promptTokens: budget.promptTokens, stopReason: reason)
            throw error
        }
        reportUnsupportedOptions(to: emit)
        let heartbeat = startHeartbeat(of: reply, budget: budget)
        defer { heartbeat?.cancel() }
        do {
            let last = try await answer(in: conversation, tools: tools, budget: budget, reply: reply)
            try Task.checkCancellation()
            let isKnown = tools == nil && prepared.schema == nil && reply.isVerbatim
            return Outcome(
                result: try reply.complete(promptTokens: budget.promptTokens), conversation: isKnown ? last : nil)
        } catch {
            let error: any Error = Task.isCancelled ? CancellationError() : failure(error, budget: budget, reply: reply)
            reply.interrupt(
                promptTokens: budget.promptTokens, stopReason: error is CancellationError ? .cancelled : .failed)
            throw error
        }
    }

    /// Lets the system answer, and once more without tools when the model cannot leave them.
    private func answer(
        in conversation: (any SystemConversation)?, tools: ToolGateway?, budget: LLMGenerationPreflight,
        reply: SystemReply
    ) async throws -> any SystemConversation {
        let options = prepared.systemOptions(within: budget)
        let first = try conversation ?? prepared.model.conversation(prepared.prompt, tools: tools?.tools ?? [])
        guard let tools else {
            try await ask(first, prepared.prompt, options: options, schema: prepared.schema, reply: reply)
            return first
        }
        await tools.begin(first, reply: reply)
        do {
            try await ask(first, prepared.prompt, options: options, reply: reply)
            await tools.finish()
            return first
        } catch SystemModelFailure.toolRoundsExhausted {
            await tools.finish()
            reply.beginPart()
            let prompt = prepared.withoutTools(adding: await tools.messages)
            let last = try prepared.model.conversation(prompt, tools: [])
            try await ask(last, prompt, options: options, reply: reply)
            return last
        } catch {
            await tools.close()
            throw error
        }
    }

    /// Lets a conversation answer; ends at once when the task is cancelled, whether or not the system does.
    private func ask(
        _ conversation: any SystemConversation, _ prompt: SystemPrompt, options: AppleIntelligenceOptions,
        schema: SchemaPlan? = nil, reply: SystemReply
    ) async throws {
        try await Cancellable.value {
            try await conversation.reply(to: prompt.prompt, options: options, schema: schema) { reply.take($0) }
        }
    }

    /// The error as callers know it.
    private func failure(
        _ error: any Error, budget: LLMGenerationPreflight, reply: SystemReply
    ) -> any Error {
        guard case SystemModelFailure.contextOverflow = error else { return error }
        // What the reply had by then is in the context as well.
        return LLMEngineError.contextBudgetExceeded(
            contextSize: budget.loadedContextSize, promptTokens: budget.promptTokens + reply.generatedTokens,
            reserve: budget.reservedOutputTokens)
    }

    private func reportUnsupportedOptions(to emit: SystemReply.Emit) {
        guard !prepared.unsupported.isEmpty else { return }
        let names = prepared.unsupported.map(\.rawValue).joined(separator: ", ")
        emit(.diagnostic(message: "the system's model does not know these options, they are ignored: \(names)"))
    }

    // MARK: Time

    /// Tells at intervals that there is no sign of the model yet.
    private func startHeartbeat(of reply: SystemReply, budget: LLMGenerationPreflight) -> Task<Void, Never>? {
        guard let pause = Duration.pause(ofSeconds: prepared.configuration.heartbeatInterval) else { return nil }
        return Task { [clock] in
            var waited = Duration.zero
            while (try? await clock.sleep(for: pause)) != nil {
                waited += pause
                let message =
                    "no output after \(waited.components.seconds) s for a prompt of about \(budget.promptTokens) tokens"
                guard reply.beat(message) else { return }
            }
        }
    }
}
