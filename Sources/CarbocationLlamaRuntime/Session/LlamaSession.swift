package import CarbocationLocalLLM
package import Foundation

/// A conversation with a model that remembers what was said.
///
/// It has a context of its own, with one sequence, and shares the weights with engines and sessions of the same file.
/// Calls run one after another, in the order in which they came; one from inside a turn of the same session is refused.
/// A turn that fails or is cancelled leaves no trace in the transcript. When the engine failed so that only another load
/// helps, such as after the loss of a server, the next call loads the model again.
package actor LlamaSession: Conversing {
    /// The conversation so far: the system text, unless it is blank, then the messages of all turns.
    package private(set) var transcript: [LLMChatMessage]

    private let origin: SessionOrigin
    private var engine: LlamaEngine
    nonisolated let queue = CallQueue()
    private let work = NativeWork()
    /// The tokens of the last prompt and its reply.
    private var ledger: [Token]
    private var info: LlamaLoadedModelInfo?
    private var isUnloaded = false

    /// Loads a model for a new conversation.
    ///
    /// - Parameters:
    ///   - model: The model's file.
    ///   - requestedContext: Tokens of context, as for ``LlamaEngine/load(descriptor:requestedContext:)``.
    ///   - configuration: How to compute; the number of sequences is always one.
    ///   - system: The system text.
    ///   - history: The turns that the conversation begins with, checked by the caller.
    /// - Throws: The errors of loading.
    package init(
        model: LlamaModelDescriptor, requestedContext: Int,
        configuration: LlamaEngineConfiguration = LlamaEngineConfiguration(), system: String = "",
        history: [LLMChatMessage] = []
    ) async throws {
        let loaded = try await SessionOrigin.load(
            model, requestedContext: requestedContext, configuration: configuration, system: system)
        self.init(loaded, transcript: loaded.origin.emptyTranscript + history, ledger: [])
    }

    /// Goes on with a conversation that was saved.
    ///
    /// What the KV cache held is dropped, and computed again with the next prompt, when another build of llama.cpp or
    /// other settings made it.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: How to compute; the number of sequences is always one.
    ///   - model: Finds the model's file, wherever it is now; nil when there is none.
    /// - Throws: `LLMSessionError.damagedSnapshot`, `.modelMismatch`, `FileFailure`, and the errors of loading.
    package init(
        restoring url: URL, configuration: LlamaEngineConfiguration = LlamaEngineConfiguration(),
        model: @Sendable (SessionModel) async throws -> LlamaModelDescriptor?
    ) async throws {
        let snapshot = try await NativeWork().run { signal in
            try SnapshotFile().read(url.path, signal: signal)
        }
        guard let descriptor = try await model(snapshot.model) else {
            throw LLMSessionError.modelMismatch("\(snapshot.model.fileName) is not there. Install it again.")
        }
        let loaded = try await SessionOrigin.load(
            descriptor, requestedContext: snapshot.cacheIdentity.contextSize, configuration: configuration,
            system: snapshot.system, expecting: .savedSession(snapshot.model))
        await loaded.take(snapshot.state, of: snapshot.cacheIdentity)
        self.init(loaded, transcript: snapshot.transcript, ledger: snapshot.ledger)
    }

    private init(_ loaded: SessionOrigin.Loaded, transcript: [LLMChatMessage], ledger: [Token]) {
        origin = loaded.origin
        engine = loaded.engine
        info = loaded.info
        self.transcript = transcript
        self.ledger = ledger
    }

    /// What is loaded; nil after ``unload()``.
    package func currentLoadedModelInfo() -> LlamaLoadedModelInfo? {
        info
    }

    /// What the context was made with; nil after ``unload()``.
    package var loadReport: LlamaLoadReport? {
        get async { await engine.currentLoadReport() }
    }

    /// The threads that the model computes with now: as configured, else what the engine chose last.
    package var threadChoice: ThreadChoice? {
        get async { await engine.currentThreadChoice() }
    }

    /// Why not more of the last prompt was cached, in words; nil before the first turn.
    package var promptReuseReason: String? {
        get async { await engine.lastPromptReuseReason() }
    }
}

// MARK: - Turns

extension LlamaSession {
    /// A stream that answers a prompt when it is iterated.
    ///
    /// Each iterator is a turn. It joins the order of calls with its first `next()`.
    package nonisolated func stream(
        prompt: String, options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil
    ) -> LLMGenerationStream {
        LLMGenerationStream { emit in
            try await self.answer(prompt, options, control, at: self.queue.enter(), emit: emit)
        }
    }

    /// A stream that answers with tools when it is iterated.
    ///
    /// - Parameters:
    ///   - request: The tools; its messages follow the conversation so far.
    ///   - control: A handle to end the thinking, valid during the whole turn.
    /// - Returns: The turn, which joins the order of calls with the first `next()` of an iterator.
    package nonisolated func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            try await self.run(request, control, at: self.queue.enter(), emit: emit)
        }
    }

    /// Answers a prompt.
    ///
    /// - Parameters:
    ///   - prompt: What the user says.
    ///   - options: How to generate.
    ///   - control: Steers the generation from outside.
    ///   - onEvent: Receives the events.
    /// - Returns: The reply, which is in the transcript now.
    /// - Throws: `LLMSessionError.unloaded` and what generations throw.
    package func generatePhased(
        prompt: String, options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMGenerationStreamEvent) -> Void = { _ in }
    ) async throws -> LLMGenerationResult {
        let place = queue.enter()
        // A stream whose reader was cancelled before does not even begin.
        defer { place.leave() }
        let stream = LLMGenerationStream { emit in
            try await self.answer(prompt, options, control, at: place, emit: emit)
        }
        return try await stream.result(onEvent: onEvent)
    }

    /// Runs a turn of several replies and messages.
    ///
    /// - Parameters:
    ///   - prompt: What the user says, the first message of the turn.
    ///   - body: Generates replies and adds all further messages. When it throws, none of them stays.
    /// - Returns: What `body` returns.
    /// - Throws: `LLMSessionError.unloaded`, `CancellationError`, the errors of loading after a failure of the engine, and
    ///   what `body` throws.
    package func turn<Value: Sendable>(
        prompt: String, _ body: @Sendable (LlamaSessionTurn) async throws -> Value
    ) async throws -> Value {
        try await turn(with: [Self.message(prompt)], at: queue.enter(), body)
    }

    private func turn<Value: Sendable>(
        with new: [LLMChatMessage], at place: CallQueue.Place,
        _ body: @Sendable (LlamaSessionTurn) async throws -> Value
    ) async throws -> Value {
        try await call(at: place) {
            let turn = LlamaSessionTurn(engine: engine, messages: transcript + new, ledger: ledger)
            let value = try await TurnScope.run(in: self) { try await body(turn) }
            (transcript, ledger) = await (turn.messages, turn.ledger)
            return value
        }
    }

    /// Sends the events that tell of success once the turn is in the transcript.
    private func answer(
        _ prompt: String, _ options: GenerationOptions, _ control: LLMGenerationControl?, at place: CallQueue.Place,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws {
        let ending = Locked<[LLMGenerationStreamEvent]>([])
        try await turn(with: [Self.message(prompt)], at: place) { turn in
            _ = try await turn.reply(options: options, control: control) { event in
                switch event {
                case .done, .completed: ending.withLock { $0.append(event) }
                default: emit(event)
                }
            }
            guard case .completed(let result)? = ending.withLock({ $0.last }) else {
                throw LLMEngineError.decodeFailed("the generation ended without a result")
            }
            await turn.append(result.assistantMessage)
        }
        ending.withLock { $0 }.forEach(emit)
    }

    /// Runs a turn with tools; the event of its success is sent once the turn is in the transcript.
    private func run(
        _ request: LLMToolGenerationRequest, _ control: LLMGenerationControl?, at place: CallQueue.Place,
        emit: @escaping ToolLoop.Emit
    ) async throws {
        let ending = Locked<LLMToolGenerationStreamEvent?>(nil)
        try await turn(with: request.messages, at: place) { turn in
            try await turn.run(request, control: control) { event in
                guard case .completed = event else { return emit(event) }
                ending.withLock { $0 = event }
            }
        }
        if let completed = ending.withLock({ $0 }) { emit(completed) }
    }

    /// Says whether a prompt fits behind the conversation so far, and how much output it leaves room for.
    ///
    /// Waits for earlier calls and changes nothing.
    package func preflight(
        prompt: String, options: GenerationOptions = GenerationOptions()
    ) async throws -> LLMGenerationPreflight {
        try await call(at: queue.enter()) {
            let request = LLMGenerationRequest(messages: transcript + [Self.message(prompt)], options: options)
            return try await engine.preflight(request, ledger: ledger)
        }
    }

    private static func message(_ prompt: String) -> LLMChatMessage {
        LLMChatMessage(role: .user, content: prompt)
    }

    /// Runs `body` when it is the turn of `place`, which is left in any case; `computes` asks for an engine that works.
    private func call<Value: Sendable>(
        at place: CallQueue.Place, computes: Bool = true, _ body: () async throws -> Value
    ) async throws -> Value {
        defer { place.leave() }
        try await place.wait(in: self)
        guard !isUnloaded else { throw LLMSessionError.unloaded }
        if computes { try await recover() }
        return try await body()
    }

    /// Loads the model again after a failure that nothing else ends; the next prompt is computed from its beginning.
    private func recover() async throws {
        guard await !engine.isUsable else { return }
        // What failed and what replaces it need not fit into memory together.
        await engine.unload()
        let loaded = try await origin.reloaded()
        engine = loaded.engine
        info = loaded.info
    }
}

// MARK: - The session as a whole

extension LlamaSession {
    /// Forgets all turns; the next one is like the first of a new session with the same system text.
    ///
    /// Waits for earlier calls, also in a task that was cancelled. Does nothing after ``unload()``. From inside a turn of
    /// this session it returns at once, and happens when that turn is over.
    package func reset() async {
        await queue.afterEarlierCalls(of: self) { session in
            guard !session.isUnloaded else { return }
            session.transcript = session.origin.emptyTranscript
            session.ledger = []
            await session.engine.clearState()
        }
    }

    /// Another session that begins with this conversation and what the KV cache holds of it.
    ///
    /// - Returns: The session, which shares nothing with this one but the weights.
    /// - Throws: `LLMSessionError.unloaded`, `.modelMismatch` when the file has changed, and the errors of loading.
    package func fork() async throws -> LlamaSession {
        try await call(at: queue.enter(), computes: false) {
            let state = await engine.exportState()
            let loaded = try await origin.reloaded()
            await loaded.take(state, of: origin.cacheIdentity)
            return LlamaSession(loaded, transcript: transcript, ledger: ledger)
        }
    }

    /// Saves the conversation and what the KV cache holds of it, in one file.
    ///
    /// Seeds and samplers are not part of it: every turn makes its sampler anew from its own options, so a turn after
    /// restoring gives what it would give without.
    ///
    /// - Parameter url: The file, which is replaced as a whole or not at all.
    /// - Throws: `LLMSessionError.unloaded`, `FileFailure` and `CancellationError`.
    package func save(to url: URL) async throws {
        try await save(to: url, in: SnapshotFile())
    }

    func save(to url: URL, in file: SnapshotFile) async throws {
        try await call(at: queue.enter(), computes: false) {
            let snapshot = SessionSnapshot(
                model: origin.model, cacheIdentity: origin.cacheIdentity, system: origin.system,
                transcript: transcript, ledger: ledger, state: await engine.exportState())
            try await work.run { signal in try file.write(snapshot, to: url.path, signal: signal) }
        }
    }

    /// Frees the context, and the weights unless others use them, once earlier calls are over.
    ///
    /// Every later call throws `LLMSessionError.unloaded`. From inside a turn of this session it returns at once, and
    /// happens when that turn is over.
    package func unload() async {
        await queue.afterEarlierCalls(of: self) { session in
            session.isUnloaded = true
            session.info = nil
            await session.engine.unload()
        }
    }
}
