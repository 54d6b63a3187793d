public import Foundation

/// An engine that answers with what a script says, for tests of code that uses engines.
///
/// ```swift
/// let engine = ScriptedLLMEngine(script: [[.thinking("Greet back."), .text("Hello"), .text(" there.")]])
/// let answer = try await engine.generate(system: "", prompt: "Hi") { _ in }
/// // answer == "Hello there."
/// ```
///
/// A script has a list of steps for each turn. Each generation takes the next turn, and so does each reply of a run with
/// tools. From there on everything is as with other engines: the events and their order, stop sequences, balanced JSON,
/// limits, budgets of thinking, ``LLMGenerationControl``, cancellation, tools.
///
/// Chunks stand for tokens. Each ``Step/text(_:)``, ``Step/thinking(_:)`` and ``Step/toolCall(name:arguments:id:)`` is
/// one chunk, which counts as one generated token, whatever its length. Prompts are counted with ``TokenEstimator``.
///
/// Nothing is random, and time passes in delays only. The same script gives the same events, with one exception: the
/// times that events report are measured by the clock. With a clock that stands still they are the same too.
///
/// - Important: A script is not bound to a grammar, a JSON schema or a tool's parameters; it is delivered as it is. What
///   looks at the output afterwards, such as ``LLMEngine/generate(as:system:prompt:options:control:)``, does so here too.
public actor ScriptedLLMEngine: LLMEngine {
    /// Every request that a turn was asked for, in the order in which the generations began.
    ///
    /// A run with tools has one for each reply, with the calls and outputs so far among its messages. Requests that are
    /// refused before any generation, because their options or messages cannot be used or do not fit the context, take
    /// no turn and are not listed. One that found the script used up is listed.
    public private(set) var receivedRequests: [LLMGenerationRequest] = []

    /// Measures time and delays, also for the timeouts of tools.
    nonisolated let clock: any Clock<Duration>

    private let modelID: UUID?
    private let contextSize: Int
    private var turns: ScriptedTurns

    /// Creates an engine that answers with the turns of a script.
    ///
    /// - Parameters:
    ///   - modelID: What ``currentModelID()`` gives.
    ///   - contextSize: The context in tokens, see ``TokenEstimator`` and the chunks above.
    ///   - script: The steps of each turn, in the order in which generations begin. A turn without steps is an empty
    ///     answer.
    ///   - repeatsLastTurn: Whether a script that is used up goes on with its last turn. Otherwise, and without any
    ///     turn, further generations throw ``LLMEngineError/noModelLoaded``.
    ///   - clock: Measures time and delays.
    public init(
        modelID: UUID? = nil, contextSize: Int = 4096, script: [[Step]], repeatsLastTurn: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.modelID = modelID
        self.contextSize = max(0, contextSize)
        turns = .script(script[...], last: repeatsLastTurn ? script.last : nil)
        self.clock = clock
    }

    /// Creates an engine that makes up each turn when its generation begins.
    ///
    /// ```swift
    /// let engine = ScriptedLLMEngine { request in
    ///     [.text("You said: \(request.messages.last?.content ?? "")")]
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - modelID: What ``currentModelID()`` gives.
    ///   - contextSize: The context in tokens, see ``TokenEstimator`` and the chunks above.
    ///   - clock: Measures time and delays.
    ///   - respond: Gives the steps that answer a request; an error of it ends the generation as ``Step/fail(_:)`` does.
    ///     Generations that run at the same time call it at the same time.
    public init(
        modelID: UUID? = nil, contextSize: Int = 4096, clock: any Clock<Duration> = ContinuousClock(),
        respond: @escaping @Sendable (LLMGenerationRequest) async throws -> [Step]
    ) {
        self.modelID = modelID
        self.contextSize = max(0, contextSize)
        turns = .responses(respond)
        self.clock = clock
    }

    /// The id that the engine was created with.
    public func currentModelID() -> UUID? {
        modelID
    }

    /// The context that the engine was created with.
    public func currentContextSize() -> Int {
        contextSize
    }

    /// Says whether a request fits, with estimated tokens of its messages' texts.
    ///
    /// Takes no turn of the script.
    ///
    /// - Parameter request: What would be generated.
    /// - Returns: The budget. A prompt that does not fit is a normal answer.
    /// - Throws: ``LLMEngineError/invalidOptions(_:)`` or ``LLMEngineError/invalidRequest(_:)``.
    public func preflight(_ request: LLMGenerationRequest) throws -> LLMGenerationPreflight {
        try request.options.validate()
        return try budget(of: request)
    }

    /// A stream that takes a turn of the script when it is iterated.
    ///
    /// - Parameter request: The conversation and how to continue it.
    /// - Returns: The generation, which starts with the first `next()` of an iterator. It throws
    ///   ``LLMEngineError/noModelLoaded`` when the script is used up, the error of a ``Step/fail(_:)`` step as it is, and
    ///   what other engines throw for requests that cannot be used or do not fit.
    public nonisolated func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream {
        LLMGenerationStream { emit in
            _ = try await self.generate(request, tools: nil, emit: emit)
        }
    }

    /// Generates one reply and returns its calls.
    nonisolated func generate(
        _ request: LLMGenerationRequest, tools: ToolOffer?,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> ToolReply {
        let time = ElapsedTime(on: clock)
        let registration = request.control?.beginGeneration()
        defer { registration?.end() }
        let (turn, budget) = try await begin(request, tools: tools, emit: emit)
        var run = ScriptedRun(
            request, tools: tools, budget: budget, control: registration, clock: clock, time: time, emit: emit)
        do {
            let reason = try await run.play(turn.steps(for: request))
            return try run.conclude(reason)
        } catch {
            throw run.interrupt(by: error)
        }
    }

    /// Checks a request and takes a turn for it, all at once, so that turns and requests have the same order.
    private func begin(
        _ request: LLMGenerationRequest, tools: ToolOffer?, emit: @Sendable (LLMGenerationStreamEvent) -> Void
    ) throws -> (ScriptedTurns.Turn, LLMGenerationPreflight) {
        try request.options.validate()
        guard !turns.isUsedUp else {
            receivedRequests.append(request)
            throw LLMEngineError.noModelLoaded
        }
        let accumulator = GenerationAccumulator()
        accumulator.begin(emit: emit)
        let budget = try budget(of: request)
        try tools?.check(request.options)
        do {
            try budget.requireBudget()
        } catch {
            accumulator.interrupt(promptTokens: budget.promptTokens, stopReason: .contextFull, emit: emit)
            throw error
        }
        guard let turn = turns.next() else { throw LLMEngineError.noModelLoaded }
        receivedRequests.append(request)
        return (turn, budget)
    }

    /// The budget of a request with validated options.
    private func budget(of request: LLMGenerationRequest) throws -> LLMGenerationPreflight {
        let messages = try LLMChatMessage.normalizedConversation(request.messages)
        return LLMGenerationPreflight(
            loadedContextSize: contextSize,
            promptTokens: messages.reduce(0) { $0.addingSaturated(TokenEstimator.estimate($1.content)) },
            requestedMaxOutputTokens: request.options.maxOutputTokens, usesExactTokenCounts: false)
    }
}
