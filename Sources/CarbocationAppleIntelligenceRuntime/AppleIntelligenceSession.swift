package import CarbocationLocalLLM

/// A conversation with the system's language model that remembers what was said.
///
/// Calls run one after another, in the order in which they came; one from inside a turn of the same session is refused.
/// A turn that fails or is cancelled leaves no trace.
package actor AppleIntelligenceSession: Conversing {
    /// The conversation so far: the system text, unless it is blank, then the messages of all turns.
    package private(set) var transcript: [LLMChatMessage]

    private let system: [LLMChatMessage]
    private let configuration: AppleIntelligenceConfiguration
    private let clock: any Clock<Duration>
    private nonisolated let queue = CallQueue()
    /// Whether the session has ended, see ``unload()``.
    package private(set) var isUnloaded = false
    /// A conversation that the system has kept, and the instructions it began with.
    private var kept: (instructions: String, conversation: any SystemConversation)?

    /// Begins a conversation.
    ///
    /// - Parameters:
    ///   - system: The system text.
    ///   - configuration: How the model is used.
    ///   - clock: Measures time, that of tools too.
    /// - Throws: ``AppleIntelligenceError/unavailable(_:)``.
    package init(
        system: String, configuration: AppleIntelligenceConfiguration = AppleIntelligenceConfiguration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        _ = try SystemModelAccess.model()
        let isBlank = system.allSatisfy(\.isWhitespace)
        let messages = isBlank ? [] : [LLMChatMessage(role: .system, content: system)]
        self.init(system: messages, transcript: messages, configuration: configuration, clock: clock)
    }

    private init(
        system: [LLMChatMessage], transcript: [LLMChatMessage], configuration: AppleIntelligenceConfiguration,
        clock: any Clock<Duration>
    ) {
        self.system = system
        self.transcript = transcript
        self.configuration = configuration
        self.clock = clock
    }
}

// MARK: - Turns

extension AppleIntelligenceSession {
    /// A stream that answers a prompt when it is iterated.
    ///
    /// Each iterator is a turn. It joins the order of calls with its first `next()`.
    package nonisolated func stream(
        prompt: String, options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil
    ) -> LLMGenerationStream {
        LLMGenerationStream { emit in
            let registration = control?.beginGeneration()
            defer { registration?.end() }
            try await self.answer(prompt, options, at: self.queue.enter(), emit: emit)
        }
    }

    /// A stream that answers a prompt with tools when it is iterated.
    ///
    /// - Parameters:
    ///   - request: The tools and the prompt, its only message.
    ///   - control: Has no effect but being in use.
    /// - Returns: The turn, which joins the order of calls with its first `next()`.
    package nonisolated func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl? = nil
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            let registration = control?.beginGeneration()
            defer { registration?.end() }
            try await self.answer(request, at: self.queue.enter(), emit: emit)
        }
    }

    /// Says whether a prompt fits behind the conversation so far, and how much output it leaves room for.
    ///
    /// Waits for earlier calls and changes nothing.
    package func preflight(
        prompt: String, options: GenerationOptions = GenerationOptions()
    ) async throws -> LLMGenerationPreflight {
        try await call(at: queue.enter()) {
            let prepared = try PreparedGeneration(
                transcript + [LLMChatMessage(role: .user, content: prompt)], options: options,
                configuration: configuration)
            return try await Cancellable.value { await prepared.budget() }
        }
    }

    /// Sends the events that tell of success once the turn is in the transcript.
    private func answer(
        _ prompt: String, _ options: GenerationOptions, at place: CallQueue.Place, emit: @escaping SystemReply.Emit
    ) async throws {
        let ending = Locked<[LLMGenerationStreamEvent]>([])
        try await call(at: place) {
            let messages = transcript + [LLMChatMessage(role: .user, content: prompt)]
            let prepared = try PreparedGeneration(messages, options: options, configuration: configuration)
            let conversation = takeConversation(beginningWith: prepared.prompt.instructions)
            let generation = SystemGeneration(prepared: prepared, clock: clock)
            let outcome = try await TurnScope.run(in: self) {
                try await generation.run(in: conversation) { event in
                    switch event {
                    case .done, .completed: ending.withLock { $0.append(event) }
                    default: emit(event)
                    }
                }
            }
            transcript = messages + [outcome.result.assistantMessage]
            kept = outcome.conversation.map { (prepared.prompt.instructions, $0) }
        }
        ending.withLock { $0 }.forEach(emit)
    }

    private func answer(
        _ request: LLMToolGenerationRequest, at place: CallQueue.Place, emit: @escaping ToolLoop.Emit
    ) async throws {
        let result = try await call(at: place) {
            guard request.messages.count == 1, request.messages.first?.role == .user else {
                throw LLMEngineError.invalidRequest("a turn of a session has one message, the user's prompt")
            }
            var request = request
            request.messages = transcript + request.messages
            let run = try SystemToolRun(request, configuration: configuration, clock: clock)
            kept = nil
            let outcome = try await TurnScope.run(in: self) { try await run.run(emit: emit) }
            transcript = request.messages + outcome.messages
            return outcome.result
        }
        emit(.completed(result))
    }

    /// The kept conversation, if its instructions are these; it is not kept any more, unless its turn succeeds.
    private func takeConversation(beginningWith instructions: String) -> (any SystemConversation)? {
        defer { kept = nil }
        return kept?.instructions == instructions ? kept?.conversation : nil
    }

    /// Runs `body` when it is the turn of `place`, which is left in any case.
    private func call<Value: Sendable>(
        at place: CallQueue.Place, _ body: () async throws -> Value
    ) async throws -> Value {
        defer { place.leave() }
        try await place.wait(in: self)
        guard !isUnloaded else { throw LLMSessionError.unloaded }
        return try await body()
    }
}

// MARK: - The session as a whole

extension AppleIntelligenceSession {
    /// Forgets all turns; the next one is like the first of a new session with the same system text.
    ///
    /// Waits for earlier calls, also in a task that was cancelled. Does nothing after ``unload()``. From inside a turn of
    /// this session it returns at once, and happens when that turn is over.
    package func reset() async {
        await queue.afterEarlierCalls(of: self) { session in
            guard !session.isUnloaded else { return }
            session.transcript = session.system
            session.kept = nil
        }
    }

    /// Another session that begins with this conversation.
    ///
    /// - Throws: `LLMSessionError.unloaded`.
    package func fork() async throws -> AppleIntelligenceSession {
        try await call(at: queue.enter()) {
            AppleIntelligenceSession(
                system: system, transcript: transcript, configuration: configuration, clock: clock)
        }
    }

    /// Ends the session, once earlier calls are over; every later call throws `LLMSessionError.unloaded`.
    ///
    /// From inside a turn of this session it returns at once, and happens when that turn is over.
    package func unload() async {
        await queue.afterEarlierCalls(of: self) { session in
            session.isUnloaded = true
            session.kept = nil
        }
    }
}
