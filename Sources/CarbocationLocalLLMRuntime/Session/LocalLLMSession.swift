package import CarbocationLlamaRuntime
public import CarbocationLocalLLM
public import Foundation

/// A conversation with the model a user selected, which remembers what was said.
///
/// ```swift
/// let session = try await LocalLLMSession(
///     selection: plan.selection, system: "Answer briefly.", from: library, requestedContext: plan.requestedContext)
/// let answer = try await session.generate(prompt: "What is a GGUF file?") { _ in }
/// let more = try await session.generate(prompt: "Who made it?") { _ in }
/// ```
///
/// Each prompt is answered with the system text and all earlier turns in context. With a GGUF model the session has a
/// context of its own, and what it holds is not computed again; the weights are shared with engines and other sessions.
///
/// - Calls run one after another, in the order in which they came. Different sessions do not wait for each other.
/// - A turn enters the ``transcript`` when it succeeds. One that fails or is cancelled leaves no trace.
/// - Nothing is ever cut from the conversation: when it no longer fits, ``preflight(prompt:options:)`` says so, and
///   generating throws.
public actor LocalLLMSession {
    private nonisolated let provider: any SessionProvider
    private nonisolated let selection: LLMModelSelection
    /// The order in which calls came, before they reach the provider.
    private nonisolated let queue = CallQueue()

    /// Begins a conversation; loads the model, unless its weights are in use already.
    ///
    /// - Parameters:
    ///   - selection: The model.
    ///   - system: The system text; a blank one is left out.
    ///   - library: The library that lists installed models; it is refreshed when it does not list the selected one.
    ///   - requestedContext: Tokens of context, as for ``LocalLLMEngine/load(selection:from:requestedContext:)``.
    ///   - configuration: How to compute.
    /// - Throws: What loading throws; `CancellationError` when the task was cancelled.
    public init(
        selection: LLMModelSelection, system: String = "", from library: ModelLibrary, requestedContext: Int,
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration()
    ) async throws {
        try await self.init(
            selection: selection, system: system, from: library, requestedContext: requestedContext,
            configuration: configuration, systemModels: .ofThisSystem)
    }

    /// Begins a conversation, with other system models.
    package init(
        selection: LLMModelSelection, system: String = "", from library: ModelLibrary, requestedContext: Int,
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration(), systemModels: SystemModels
    ) async throws {
        let provider: any SessionProvider
        switch selection {
        case .installed(let id):
            guard let model = await library.listedModel(id) else {
                throw LocalLLMEngineError.installedModelNotFound(id)
            }
            let session = try await LlamaSession(
                model: LlamaModelDescriptor(model: model, root: library.root), requestedContext: requestedContext,
                configuration: configuration.llama, system: system)
            provider = LlamaSessionProvider(session: session, model: model)
        case .system(let id):
            guard let option = systemModels.option(id) else {
                throw LocalLLMEngineError.unavailableSystemModel(id)
            }
            do {
                provider = try await systemModels.session(option, system, configuration)
            } catch {
                throw ProviderFailure.translated(error, for: selection)
            }
        }
        self.init(provider: provider, selection: selection)
    }

    /// Goes on with a conversation that ``save(to:)`` wrote, in this process or another one.
    ///
    /// The model is looked for in the library by what is in its files, wherever they are now. What the KV cache held is
    /// used again unless another version of llama.cpp or other settings made it; then the next prompt is computed from
    /// its beginning. Greedy answers are the same as without saving.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - library: The library that lists the model; it is refreshed first.
    ///   - configuration: How to compute.
    /// - Throws: `LLMSessionError.damagedSnapshot`, and `.modelMismatch` when the model is missing or another one; the
    ///   error of the file system when there is no file; what loading throws.
    public init(
        restoring url: URL, from library: ModelLibrary,
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration()
    ) async throws {
        await library.refresh()
        let search = await SavedModelSearch(library)
        let found = Locked<InstalledModel?>(nil)
        let session = try await LlamaSession(restoring: url, configuration: configuration.llama) { saved in
            guard let model = await search.model(for: saved) else { return nil }
            found.withLock { $0 = model }
            return LlamaModelDescriptor(model: model, root: search.root)
        }
        guard let model = found.withLock({ $0 }) else { throw LLMSessionError.unloaded }
        self.init(
            provider: LlamaSessionProvider(session: session, model: model), selection: .installed(model.id))
    }

    private init(provider: any SessionProvider, selection: LLMModelSelection) {
        self.provider = provider
        self.selection = selection
    }

    /// The conversation so far: the system text, unless it is blank, then the messages of all turns.
    ///
    /// A turn with tools has the model's calls and their outputs between its prompt and its answer.
    public var transcript: [LLMChatMessage] {
        get async { await provider.conversation.transcript }
    }

    /// What is loaded; nil after ``unload()``.
    public func currentLoadedModelInfo() async -> LocalLLMLoadedModelInfo? {
        await provider.loadedInfo()
    }

    /// The llama.cpp session, with an installed model.
    package nonisolated var llamaSession: LlamaSession? {
        (provider as? LlamaSessionProvider)?.session
    }
}

// MARK: - Turns

extension LocalLLMSession {
    /// A stream that answers a prompt when it is iterated.
    ///
    /// Each iterator is a turn, which joins the order of calls with its first `next()`.
    ///
    /// - Parameters:
    ///   - prompt: What the user says.
    ///   - options: How to generate.
    ///   - control: A handle to end the thinking.
    /// - Returns: The turn.
    public nonisolated func stream(
        prompt: String, options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil
    ) -> LLMGenerationStream {
        LLMGenerationStream { emit in
            try await self.answer(prompt, options, control, at: self.queue.enter(), emit: emit)
        }
    }

    private func answer(
        _ prompt: String, _ options: GenerationOptions, _ control: LLMGenerationControl?, at place: CallQueue.Place,
        emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws {
        try await call(at: place) { provider in
            try options.validate()
            let turn = provider.conversation.stream(prompt: prompt, options: options, control: control)
            for try await event in turn { emit(event) }
        }
    }

    /// Runs one turn whose place is taken now.
    private func result(
        _ prompt: String, _ options: GenerationOptions, _ control: LLMGenerationControl?,
        onEvent: @Sendable (LLMGenerationStreamEvent) -> Void
    ) async throws -> LLMGenerationResult {
        let place = queue.enter()
        // A stream whose reader was cancelled before does not even begin.
        defer { place.leave() }
        let turn = LLMGenerationStream { emit in
            try await self.answer(prompt, options, control, at: place, emit: emit)
        }
        return try await turn.result(onEvent: onEvent)
    }

    /// Runs `body` when it is the turn of `place`, which is left in any case.
    ///
    /// A call from inside a turn of this session goes straight to the provider, which refuses what would wait for itself.
    private func call<Value: Sendable>(
        at place: CallQueue.Place, _ body: @Sendable (any SessionProvider) async throws -> Value
    ) async throws -> Value {
        defer { place.leave() }
        return try await ProviderFailure.translating(for: selection) {
            guard !TurnScope.isInside(self) else { return try await body(provider) }
            try await place.wait()
            return try await TurnScope.run(in: self) { try await body(provider) }
        }
    }

    /// Runs `body` once earlier calls are over, also in a task that was cancelled.
    private func afterEarlierCalls(_ body: @Sendable (any SessionProvider) async -> Void) async {
        let place = queue.enter()
        defer { place.leave() }
        if !TurnScope.isInside(self) { await place.waitToTheEnd() }
        await body(provider)
    }

    /// Answers a prompt and returns the answer's text, without thinking.
    ///
    /// - Parameters:
    ///   - prompt: What the user says.
    ///   - options: How to generate.
    ///   - control: A handle to end the thinking.
    ///   - onEvent: Called in order, one at a time, never after this returned or threw.
    /// - Returns: The answer, which is in the ``transcript`` now.
    /// - Throws: `LLMSessionError.unloaded`; `LLMEngineError`, `.contextBudgetExceeded` and
    ///   `.insufficientGenerationBudget` when the conversation does not fit any more;
    ///   ``LocalLLMEngineError/systemModelGenerationFailed(_:)``; `CancellationError` when the task was cancelled.
    public func generate(
        prompt: String, options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMStreamEvent) -> Void
    ) async throws -> String {
        let result = try await result(prompt, options, control) { event in
            if let event = event.phaseAwareEvent?.streamEvent { onEvent(event) }
        }
        return result.finalText
    }

    /// Answers a prompt and returns the answer's text, with events that tell thinking from answer.
    ///
    /// Chosen by the label; a bare trailing closure selects the `onEvent` form, which is why an unnamed last parameter
    /// follows the closure here. The closure is called in order, one at a time, never after this returned or threw.
    /// Errors are those of ``generate(prompt:options:control:onEvent:)``.
    public func generate(
        prompt: String, options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil,
        onPhaseAwareEvent: @escaping @Sendable (LLMPhaseAwareStreamEvent) -> Void, _: Void = ()
    ) async throws -> String {
        let result = try await result(prompt, options, control) { event in
            if let event = event.phaseAwareEvent { onPhaseAwareEvent(event) }
        }
        return result.finalText
    }

    /// Answers a prompt and returns thinking, answer and statistics.
    ///
    /// - Parameters:
    ///   - prompt: What the user says.
    ///   - options: How to generate.
    ///   - control: A handle to end the thinking.
    ///   - onEvent: Called in order, one at a time, never after this returned or threw.
    /// - Returns: The reply.
    /// - Throws: As ``generate(prompt:options:control:onEvent:)``.
    public func generatePhased(
        prompt: String, options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil,
        onEvent: @escaping @Sendable (LLMGenerationStreamEvent) -> Void = { _ in }
    ) async throws -> LLMGenerationResult {
        try await result(prompt, options, control, onEvent: onEvent)
    }

    /// Answers a prompt with tools that the model may call.
    ///
    /// Calls, their outputs and the answer enter the ``transcript`` together. A tool must not call this session: it is
    /// refused, because the turn would wait for itself.
    ///
    /// - Parameters:
    ///   - prompt: What the user says.
    ///   - options: How to generate each reply.
    ///   - tools: The tools, with unique names.
    ///   - toolChoice: Whether and which tools the model uses.
    ///   - maxToolRounds: How many times replies may call tools and be continued with the outputs; 0 runs none.
    ///   - approval: Decides about each call before it runs.
    ///   - control: A handle to end the thinking, valid during the whole turn.
    ///   - onPhaseAwareEvent: Called in order, one at a time, never after this returned or threw.
    /// - Returns: The answer and the calls with their outputs.
    /// - Throws: `LLMToolError` for tools that cannot be used, else as ``generate(prompt:options:control:onEvent:)``.
    public func generateWithTools(
        prompt: String, options: GenerationOptions = GenerationOptions(), tools: [LLMTool],
        toolChoice: LLMToolChoice = .auto, maxToolRounds: Int = 4, approval: LLMToolApproval = .automatic,
        control: LLMGenerationControl? = nil,
        onPhaseAwareEvent: @escaping @Sendable (LLMToolPhaseAwareStreamEvent) -> Void = { _ in }
    ) async throws -> LLMToolGenerationResult {
        let request = LLMToolGenerationRequest(
            prompt: prompt, options: options, tools: tools, toolChoice: toolChoice, maxToolRounds: maxToolRounds,
            approval: approval)
        let place = queue.enter()
        defer { place.leave() }
        let turn = LLMToolGenerationStream { emit in
            try await self.answer(request, control, at: place, emit: emit)
        }
        let result = try await turn.result { event in
            if let event = event.phaseAwareEvent { onPhaseAwareEvent(event) }
        }
        return result.withoutPhases
    }

    /// A stream of one turn with tools; the messages of the request follow the transcript.
    package nonisolated func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            try await self.answer(request, control, at: self.queue.enter(), emit: emit)
        }
    }

    private func answer(
        _ request: LLMToolGenerationRequest, _ control: LLMGenerationControl?, at place: CallQueue.Place,
        emit: @escaping @Sendable (LLMToolGenerationStreamEvent) -> Void
    ) async throws {
        try await call(at: place) { provider in
            try request.options.validate()
            _ = try request.checkedOffer()
            for try await event in provider.conversation.streamWithTools(request, control: control) { emit(event) }
        }
    }

    /// Says whether a prompt fits behind the conversation so far, and how much output it leaves room for.
    ///
    /// Waits for earlier calls and changes nothing.
    ///
    /// - Parameters:
    ///   - prompt: What the user would say.
    ///   - options: How it would be answered.
    /// - Returns: The budget. A prompt that does not fit is a normal answer.
    /// - Throws: `LLMSessionError.unloaded`, and what ``LocalLLMEngine/preflight(_:)`` throws.
    public func preflight(
        prompt: String, options: GenerationOptions = GenerationOptions()
    ) async throws -> LLMGenerationPreflight {
        try await call(at: queue.enter()) { provider in
            try options.validate()
            return try await provider.conversation.preflight(prompt: prompt, options: options)
        }
    }
}

// MARK: - The session as a whole

extension LocalLLMSession {
    /// Forgets all turns; the next one is like the first of a new session with the same system text.
    ///
    /// Waits for earlier calls.
    public func reset() async {
        await afterEarlierCalls { await $0.conversation.reset() }
    }

    /// Another session that begins with this conversation; from then on the two are independent.
    ///
    /// - Returns: The session. With a GGUF model it has a context of its own, and takes over what this one's holds.
    /// - Throws: `LLMSessionError.unloaded`, `.modelMismatch` when the model's file has changed, and what loading
    ///   throws.
    public func fork() async throws -> LocalLLMSession {
        let fork = try await call(at: queue.enter()) { try await $0.fork() }
        return LocalLLMSession(provider: fork, selection: selection)
    }

    /// Saves the conversation, with a GGUF model also what the KV cache holds of it.
    ///
    /// The file is replaced as a whole or not at all, and readable for the user alone. It holds the conversation in
    /// plain form. Its size is that of the cached part of the context: for small models some MB per thousand tokens.
    ///
    /// - Parameter url: The file.
    /// - Throws: `LLMSessionError.saveUnsupported` for Apple Intelligence, `.unloaded`, and the error of the file system.
    public func save(to url: URL) async throws {
        try await call(at: queue.enter()) { try await $0.save(to: url) }
    }

    /// Frees the context, and the weights unless others use them, once earlier calls are over.
    ///
    /// Every later call throws `LLMSessionError.unloaded`.
    public func unload() async {
        await afterEarlierCalls { await $0.conversation.unload() }
    }
}
