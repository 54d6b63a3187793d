/// One generation of a ``ScriptedLLMEngine``: the steps of a turn in, events out.
struct ScriptedRun: Sendable {
    typealias Step = ScriptedLLMEngine.Step
    typealias Emit = @Sendable (LLMGenerationStreamEvent) -> Void

    /// Longer than any process lives; clocks cannot add much more to a moment.
    private static let longestDelay = Duration.seconds(1_000_000_000)

    private let tools: ToolOffer?
    private let budget: LLMGenerationPreflight
    private let control: LLMGenerationControl.Registration?
    private let clock: any Clock<Duration>
    private let time: ElapsedTime
    private let emit: Emit
    private var reader: ScriptedReplyReader
    private var accumulator = GenerationAccumulator()
    private var thinking: ScriptedThinking
    private var allocator: LLMToolCallIDAllocator
    private var calls: [LLMToolCall] = []

    /// Creates the run of a request that fits.
    init(
        _ request: LLMGenerationRequest, tools: ToolOffer?, budget: LLMGenerationPreflight,
        control: LLMGenerationControl.Registration?, clock: any Clock<Duration>, time: ElapsedTime,
        emit: @escaping Emit
    ) {
        self.tools = tools
        self.budget = budget
        self.control = control
        self.clock = clock
        self.time = time
        self.emit = emit
        reader = ScriptedReplyReader(request.options)
        thinking = ScriptedThinking(request.options)
        allocator = LLMToolCallIDAllocator(reserving: request.messages.lazy.flatMap(\.toolCalls).map(\.id))
    }

    /// Does what a turn says.
    ///
    /// - Parameter steps: The turn.
    /// - Returns: Why it ended.
    /// - Throws: The error of a step; `CancellationError` when the task was cancelled.
    mutating func play(_ steps: [Step]) async throws -> LLMStopReason {
        for step in steps {
            try Task.checkCancellation()
            endThinkingIfRequested()
            if let reason = endReason { return reason }
            if let reason = try await perform(step) { return reason }
            if let reason = endReason { return reason }
        }
        try Task.checkCancellation()
        return .complete
    }

    /// Ends a turn that came to its end.
    ///
    /// - Returns: Its calls.
    /// - Throws: ``LLMEngineError`` when it lacks a call that it had to have.
    mutating func conclude(_ reason: LLMStopReason) throws -> ToolReply {
        accumulator.append(reader.finish(), emit: emit)
        if let tools, tools.isCallRequired, calls.isEmpty, !reason.isLimit {
            throw LLMEngineError.structuredOutputPhaseFailed("the reply ended without the required call")
        }
        accumulator.complete(
            GenerationAccumulator.Summary(
                stopReason: calls.isEmpty ? reason : .toolCallComplete, promptTokens: budget.promptTokens,
                duration: time.seconds),
            emit: emit)
        var reply = ToolReply()
        reply.calls = allocator.materialize(calls).map(ToolReply.Call.accepted)
        reply.thinkingTokens = thinking.chunks
        return reply
    }

    /// Ends a turn that an error ended, with what was held and the statistics.
    ///
    /// - Returns: The error to throw.
    mutating func interrupt(by error: any Error) -> any Error {
        let error = Task.isCancelled ? CancellationError() : error
        // Before the first chunk nothing is held, and no phase has begun.
        if accumulator.generatedTokens > 0 { accumulator.append(reader.finish(), emit: emit) }
        accumulator.interrupt(
            promptTokens: budget.promptTokens, stopReason: error is CancellationError ? .cancelled : .failed,
            emit: emit)
        return error
    }

    // MARK: Steps

    /// Does one step; a reason ends the turn.
    private mutating func perform(_ step: Step) async throws -> LLMStopReason? {
        switch step {
        case .text(let text) where calls.isEmpty: write(text)
        case .text(let text): return text.allSatisfy(\.isWhitespace) ? nil : .toolCallComplete
        case .thinking(let text) where calls.isEmpty: think(text)
        case .thinking: return .toolCallComplete
        case .toolCall(let name, let arguments, let id): call(name, arguments, id: id)
        case .delay(let duration): try await clock.sleep(for: min(duration, Self.longestDelay))
        case .stop(let reason): return reason
        case .fail(let error): throw error
        }
        return nil
    }

    private mutating func write(_ text: String) {
        if reader.isInMarkedThinking { endThinkingIfUsedUp(isMarked: true) }
        guard endReason == nil else { return }
        let wasSkipping = reader.skipsMarkedThinking
        let output = reader.push(text: text)
        if wasSkipping, output.isEmpty { return }
        append(output)
        if output.contains(where: \.isThinking) { thinking.chunks += 1 }
        if !reader.skipsMarkedThinking { thinking.isEnded = false }
        if reader.isInMarkedThinking { endThinkingIfUsedUp(isMarked: true) }
    }

    private mutating func think(_ text: String) {
        endThinkingIfUsedUp(isMarked: false)
        guard !thinking.isEnded, endReason == nil else { return }
        append(reader.push(thinking: text))
        thinking.chunks += 1
        endThinkingIfUsedUp(isMarked: false)
    }

    private mutating func call(_ name: String, _ arguments: LLMJSONValue, id: String?) {
        guard tools != nil else {
            emit(
                .diagnostic(
                    message: "the script calls the tool “\(name)”, but the request offers none; the call is left out"))
            return
        }
        append(reader.beginCall())
        let phase: LLMStreamContentPhase = reader.phase == .thinking && !thinking.isEnded ? .thinking : .final
        // The id is given when all calls of the turn are known.
        calls.append(LLMToolCall(executionID: "", rawID: id, name: name, arguments: arguments, triggerPhase: phase))
    }

    /// Appends what a chunk gave.
    private mutating func append(_ output: [ReplyOutput]) {
        accumulator.countToken(after: time.seconds, emit: emit)
        accumulator.append(output, emit: emit)
    }

    /// Why the chunks so far end the turn, if they do.
    private var endReason: LLMStopReason? {
        if let reason = reader.stopReason { return reason }
        let limit = budget.effectiveMaxOutputTokens
        guard accumulator.generatedTokens >= limit else { return nil }
        // A requested limit wins a tie with the context.
        return budget.requestedMaxOutputTokens == limit ? .maxTokens : .contextFull
    }

    // MARK: The end of thinking

    /// Takes a request from outside; outside of thinking it is dropped.
    private mutating func endThinkingIfRequested() {
        guard accumulator.generatedTokens > 0, reader.phase != .unknown,
            let message = control?.takeTerminationRequest(),
            reader.phase == .thinking, !thinking.isEnded, calls.isEmpty
        else { return }
        endThinking(with: message, isMarked: reader.isInMarkedThinking)
    }

    private mutating func endThinkingIfUsedUp(isMarked: Bool) {
        guard thinking.isUsedUp, !thinking.isEnded, endReason == nil else { return }
        endThinking(with: thinking.takeBudgetMessage(), isMarked: isMarked)
    }

    private mutating func endThinking(with message: String, isMarked: Bool) {
        thinking.isEnded = true
        let output = reader.endThinking(with: message, isMarked: isMarked)
        if !message.isEmpty { append(output) }
    }
}

extension ReplyOutput {
    fileprivate var isThinking: Bool {
        if case .content(_, .thinking) = self { true } else { false }
    }
}
