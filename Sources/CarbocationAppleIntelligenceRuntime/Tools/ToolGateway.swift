import CarbocationLocalLLM

/// Answers the calls that the system makes in the course of one reply, and keeps count of them.
///
/// The system knows no limit of rounds, and does not say which calls belong to one round; ``RoundFinder`` does.
actor ToolGateway {
    private struct Round {
        var calls: [LLMToolCall] = []
        var outputs: [String: LLMToolOutput] = [:]
    }

    private let prepared: PreparedGeneration
    private let definitions: [String: LLMToolDefinition]
    private let runner: ToolCallRunner
    private let maximumRounds: Int
    private let events: ToolEvents
    private let permits: CallPermits
    private let admissions = CallQueue()
    private let enclosing = TurnScope.enclosing

    private var allocator: LLMToolCallIDAllocator
    private var rounds: [Round] = []
    private var finder = RoundFinder()
    private var running = 0
    /// How many times the model had written when the last call was answered.
    private var writings = 0
    private var tasks: [String: Task<String, any Error>] = [:]
    private var isClosed = false
    private var conversation: (any SystemConversation)?
    private var reply: SystemReply?

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - request: The tools and their limits, checked.
    ///   - prepared: The request as the system is given it, with the offered tools.
    ///   - clock: Measures the tools' timeouts.
    ///   - emit: Receives the events.
    init(
        _ request: LLMToolGenerationRequest, prepared: PreparedGeneration, clock: any Clock<Duration>,
        emit: @escaping ToolLoop.Emit
    ) {
        self.prepared = prepared
        events = ToolEvents(emit: emit)
        definitions = Dictionary(prepared.prompt.tools.map { ($0.name, $0) }) { first, _ in first }
        runner = ToolCallRunner(request, clock: clock)
        maximumRounds = request.maxToolRounds
        permits = CallPermits(request.maximumConcurrentToolCalls)
        allocator = LLMToolCallIDAllocator(reserving: prepared.messages.lazy.flatMap(\.toolCalls).map(\.id))
    }

    /// The tools as the system calls them.
    nonisolated var tools: [SystemTool] {
        prepared.prompt.tools.map { definition in
            SystemTool(definition: definition) { try await self.answer(definition.name, $0) }
        }
    }

    /// Opens the gateway for the calls of a reply.
    func begin(_ conversation: any SystemConversation, reply: SystemReply) {
        self.conversation = conversation
        self.reply = reply
    }

    /// Ends a reply that succeeded: cancels what still runs, and gives the calls without an output one that says so.
    func finish() {
        guard !isClosed else { return }
        for index in rounds.indices {
            for call in rounds[index].calls where rounds[index].outputs[call.id] == nil {
                rounds[index].outputs[call.id] = Self.unfinished(call)
            }
        }
        events.end(
            with: rounds.flatMap { round in
                round.calls.compactMap { call in round.outputs[call.id].map { (call, $0) } }
            })
        close()
    }

    /// Cancels what still runs; further calls are not answered, and nothing is told any more.
    func close() {
        events.end()
        isClosed = true
        for task in tasks.values { task.cancel() }
        tasks = [:]
        // The conversation holds the tools, and they this gateway.
        conversation = nil
    }

    private static func unfinished(_ call: LLMToolCall) -> LLMToolOutput {
        let failure = ToolFailure(
            code: "tool_execution_failed", "The reply ended before \(call.name) did.")
        return LLMToolOutput(callID: call.id, name: call.name, content: failure.output, isError: true)
    }

    // MARK: What there was

    /// All calls, in the order in which they came.
    var calls: [LLMToolCall] { rounds.flatMap(\.calls) }

    /// Their outputs, in the same order.
    var outputs: [LLMToolOutput] { rounds.flatMap { round in round.calls.compactMap { round.outputs[$0.id] } } }

    /// How many rounds were answered by tools.
    var roundsCompleted: Int { min(rounds.count, maximumRounds) }

    /// Whether calls were made beyond the limit of rounds.
    var isLimitReached: Bool { rounds.count > maximumRounds }

    /// The calls that were answered, and their outputs, as messages.
    var messages: [LLMChatMessage] {
        rounds.flatMap { round -> [LLMChatMessage] in
            let answered = round.calls.filter { round.outputs[$0.id] != nil }
            guard !answered.isEmpty else { return [] }
            return [LLMChatMessage(role: .assistant, content: "", toolCalls: answered)]
                + answered.compactMap { round.outputs[$0.id] }.map(LLMChatMessage.tool)
        }
    }

    // MARK: Calls

    /// Answers a call.
    ///
    /// - Parameters:
    ///   - name: The tool's name.
    ///   - arguments: The arguments as the model wrote them.
    /// - Returns: What the model is told.
    /// - Throws: `CancellationError`, which ends the reply, and ``SystemModelFailure/toolRoundsExhausted``.
    func answer(_ name: String, _ arguments: LLMJSONValue) async throws -> String {
        guard !isClosed else { throw CancellationError() }
        let planned = try plan(name, arguments)
        let id = planned.call.id
        running += 1
        let task = Task { [enclosing] in
            // The system may call from tasks of its own.
            try await TurnScope.run(inside: enclosing) { try await self.run(planned) }
        }
        tasks[id] = task
        defer {
            running -= 1
            tasks[id] = nil
            writings = reply?.writings ?? 0
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Finds the place of a call, and what is known about it before anything runs.
    private func plan(_ name: String, _ arguments: LLMJSONValue) throws -> PlannedToolCall {
        let isNew = finder.take(
            showing: conversation?.toolProgress ?? SystemToolProgress(), isIdle: running == 0,
            hasWritten: (reply?.writings ?? 0) > writings)
        // The model was told once that no tool will run.
        guard !isNew || !isLimitReached else { throw SystemModelFailure.toolRoundsExhausted }
        let id = allocator.executionIDs(forRawIDs: [nil]).first ?? name
        var planned = PlannedToolCall(
            .accepted(LLMToolCall(executionID: id, name: name, arguments: arguments)), tools: definitions)
        reply?.noteCall(planned.call)
        if isNew {
            rounds.append(Round())
            if !isLimitReached { events.begin(round: rounds.count) }
        }
        if isLimitReached { planned.failure = ToolRounds.limitReached }
        rounds[rounds.count - 1].calls.append(planned.call)
        return planned
    }

    private nonisolated func run(_ planned: PlannedToolCall) async throws -> String {
        try await permits.acquire()
        defer { permits.release() }
        let outputs = try await runner.outputs(of: [planned]) { output in
            try await self.admit(output)
        } onEvent: { [events] event in
            events.take(event)
        }
        guard let output = outputs.first else { throw CancellationError() }
        return LLMChatMessage.tool(output).content
    }

    /// The output, or one that replaces it because it would leave no room for a reply; one after the other.
    private func admit(_ output: LLMToolOutput) async throws -> LLMToolOutput {
        let place = admissions.enter()
        defer { place.leave() }
        try await place.wait()
        guard let index = rounds.firstIndex(where: { $0.calls.contains { $0.id == output.callID } }) else {
            return output
        }
        let unanswered = rounds[index].calls.filter { rounds[index].outputs[$0.id] == nil }
        let calls = LLMChatMessage(role: .assistant, content: "", toolCalls: unanswered)
        let conversation = LLMGenerationRequest(
            messages: prepared.messages + messages + [calls], options: prepared.options)
        var room = ToolOutputRoom(request: conversation, calls: unanswered.count) { [prepared] request in
            await prepared.budget(of: request.messages)
        }
        let admitted = try await room.admit(output)
        // The reply may have ended meanwhile, with another output for the call.
        guard !isClosed else { throw CancellationError() }
        rounds[index].outputs[output.callID] = admitted
        return admitted
    }
}
