package import CarbocationLlamaRuntime
public import CarbocationLocalLLM
public import Foundation

/// Generates text with the model a user selected: a GGUF file through llama.cpp, or Apple Intelligence.
///
/// ```swift
/// guard let plan = await LocalLLMEngine.loadPlan(from: storedSelection, in: library) else { return }
/// try await LocalLLMEngine.shared.load(
///     selection: plan.selection, from: library, requestedContext: plan.requestedContext)
/// let answer = try await LocalLLMEngine.shared.generate(system: "", prompt: "Hello") { _ in }
/// ```
///
/// One engine holds one loaded model. Requests are independent of each other; what they have in common with earlier ones
/// is not computed again. For conversations see ``LocalLLMSession``. Loads and unloads happen one after another, in the
/// order of their calls, whichever task they come from. After a load that failed or was cancelled nothing is loaded.
public actor LocalLLMEngine: LLMEngine {
    /// An engine with the default configuration, for apps that need only one.
    public static let shared = LocalLLMEngine()

    private struct Loaded {
        let info: LocalLLMLoadedModelInfo
        let engine: any LLMEngine
    }

    private let configuration: LocalLLMEngineConfiguration
    private let systemModels: SystemModels
    private let llama: LlamaEngine
    private var loaded: Loaded?
    /// The end of the load or unload that was asked for last.
    private var lastChange: Task<Void, Never>?
    private var generations = RunningGenerations()
    /// Whether generations use something that was dropped.
    private var isUnloadPending = false

    /// Creates an engine with nothing loaded.
    public init(configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration()) {
        self.init(configuration: configuration, systemModels: .ofThisSystem)
    }

    /// Creates an engine with other system models.
    package init(
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration(), systemModels: SystemModels
    ) {
        self.configuration = configuration
        self.systemModels = systemModels
        llama = LlamaEngine(configuration: configuration.llama)
    }
}

// MARK: - State

extension LocalLLMEngine {
    /// What is loaded, or nil.
    public func currentSelection() -> LLMModelSelection? {
        loaded?.info.selection
    }

    /// What is known about what is loaded, or nil.
    public func currentLoadedModelInfo() -> LocalLLMLoadedModelInfo? {
        loaded?.info
    }

    /// The id of the installed model that is loaded; nil for none and for system models.
    public func currentModelID() -> UUID? {
        guard case .installed(let id)? = currentSelection() else { return nil }
        return id
    }

    /// Tokens of the loaded context; 0 when nothing is loaded.
    public func currentContextSize() -> Int {
        loaded?.info.contextSize ?? 0
    }

    /// The llama.cpp engine, while an installed model is loaded.
    package func currentLlamaEngine() -> LlamaEngine? {
        currentModelID() == nil ? nil : llama
    }
}

// MARK: - Loading

extension LocalLLMEngine {
    /// Loads what a user selected.
    ///
    /// Loading what is loaded already with the same context returns at once. Anything else replaces what is loaded. When
    /// loading fails or is cancelled, nothing is loaded; while a generation runs it is refused, which changes nothing.
    /// Generations that were cancelled are waited for instead.
    ///
    /// - Parameters:
    ///   - selection: What to load, see ``selection(from:)``.
    ///   - library: The library that lists installed models; it is refreshed when it does not list the selected one.
    ///   - requestedContext: Tokens of context, at least 512 and at most what the model was trained on; 0 or less
    ///     chooses the training context. System models have a context of their own.
    /// - Returns: What was loaded.
    /// - Throws: ``LocalLLMEngineError/installedModelNotFound(_:)``, ``LocalLLMEngineError/unavailableSystemModel(_:)``;
    ///   `LLMEngineError.modelLoadFailed` (also while a generation runs), `.contextInitFailed` or
    ///   `.runtimeUnavailable`; `CancellationError` when the task was cancelled.
    @discardableResult
    public func load(
        selection: LLMModelSelection, from library: ModelLibrary, requestedContext: Int
    ) async throws -> LocalLLMLoadedModelInfo {
        let load = changing { engine in
            try await engine.replaceLoaded(with: selection, from: library, requestedContext: requestedContext)
        }
        return try await withTaskCancellationHandler {
            try await load.value
        } onCancel: {
            load.cancel()
        }
    }

    /// Frees what is loaded, once the running generations are over.
    ///
    /// Returns when the memory is free, but without waiting for running generations: they keep the model and release it
    /// with the last of them. Generations that start afterwards throw ``LocalLLMEngineError/noSelectionLoaded``.
    public func unload() async {
        let unload = changing { engine in await engine.dropLoaded() }
        _ = try? await unload.value
    }

    /// Runs `change` once the earlier changes of what is loaded are over.
    @discardableResult
    private func changing<Value: Sendable>(
        _ change: @escaping @Sendable (isolated LocalLLMEngine) async throws -> Value
    ) -> Task<Value, any Error> {
        let previous = lastChange
        let task = Task {
            await previous?.value
            return try await change(self)
        }
        lastChange = Task { _ = try? await task.value }
        return task
    }

    private func replaceLoaded(
        with selection: LLMModelSelection, from library: ModelLibrary, requestedContext: Int
    ) async throws -> LocalLLMLoadedModelInfo {
        do {
            try await waitForCancelledGenerations()
            if !generations.isEmpty {
                try Task.checkCancellation()
                return try loadedInfo(of: selection, requestedContext: requestedContext)
            }
            let before = loaded?.info
            // Nothing can be generated from here on with what will be replaced.
            if before?.selection != selection || before?.isLoaded(for: requestedContext) == false { loaded = nil }
            try Task.checkCancellation()
            let new =
                switch selection {
                case .installed(let id):
                    try await loadedModel(id, from: library, requestedContext: requestedContext)
                case .system(let id):
                    try await loadedSystemModel(id, isOther: before?.selection != selection)
                }
            try Task.checkCancellation()
            isUnloadPending = false
            loaded = new
            return new.info
        } catch {
            // With a generation that somebody waits for, the load did not begin.
            if !generations.areWanted { await dropLoaded() }
            throw error
        }
    }

    /// What is loaded, while generations run, if a load would give just that.
    private func loadedInfo(
        of selection: LLMModelSelection, requestedContext: Int
    ) throws -> LocalLLMLoadedModelInfo {
        guard let info = loaded?.info, info.selection == selection, info.isLoaded(for: requestedContext) else {
            throw LLMEngineError.generationIsActive
        }
        return info
    }

    /// Returns once somebody waits for each generation that still runs.
    private func waitForCancelledGenerations() async throws {
        while !generations.areWanted, let end = generations.ends.first {
            try await Cancellable.value { await end.value() }
        }
    }

    private func loadedModel(
        _ id: UUID, from library: ModelLibrary, requestedContext: Int
    ) async throws -> Loaded {
        guard let model = await library.listedModel(id) else {
            throw LocalLLMEngineError.installedModelNotFound(id)
        }
        let info = try await llama.load(model: model, from: library, requestedContext: requestedContext)
        return Loaded(info: LocalLLMLoadedModelInfo(info, of: model), engine: llama)
    }

    private func loadedSystemModel(_ id: LLMSystemModelID, isOther: Bool) async throws -> Loaded {
        guard let option = systemModels.option(id) else { throw LocalLLMEngineError.unavailableSystemModel(id) }
        if isOther { await llama.unload() }
        return Loaded(
            info: LocalLLMLoadedModelInfo(option), engine: systemModels.engine(option, configuration))
    }

    private func dropLoaded() async {
        loaded = nil
        isUnloadPending = !generations.isEmpty
        if !isUnloadPending { await llama.unload() }
    }

    /// Frees what was dropped while a generation used it, unless something else was loaded since.
    private func freeDropped() async {
        guard isUnloadPending, generations.isEmpty else { return }
        isUnloadPending = false
        await llama.unload()
    }
}

extension LocalLLMLoadedModelInfo {
    /// Whether a load with this request would give the context that is there.
    fileprivate func isLoaded(for requestedContext: Int) -> Bool {
        guard case .installed = selection else { return true }
        return contextSize
            == LlamaContextPolicy.clampedLoadContext(requested: requestedContext, training: trainingContextSize)
    }
}

// MARK: - Generating

extension LocalLLMEngine {
    /// Says whether a request fits into the loaded context and how much output it leaves room for.
    ///
    /// Nothing is generated and no state changes. GGUF models count exactly and compile the grammar or schema, so that
    /// their errors surface here too; Apple Intelligence estimates.
    ///
    /// - Parameter request: What would be generated.
    /// - Returns: The budget. A prompt that does not fit is a normal answer.
    /// - Throws: ``LocalLLMEngineError/noSelectionLoaded``; `LLMEngineError.invalidOptions`, `.invalidRequest`,
    ///   `.chatTemplateUnavailable`, `.grammarParseFailed` or `.unsupportedSchema`.
    public func preflight(_ request: LLMGenerationRequest) async throws -> LLMGenerationPreflight {
        try request.validate()
        guard let loaded else { throw LocalLLMEngineError.noSelectionLoaded }
        return try await ProviderFailure.translating(for: loaded.info.selection) {
            try await loaded.engine.preflight(request)
        }
    }

    /// A stream that generates with the loaded model when it is iterated.
    ///
    /// - Parameter request: The conversation and how to continue it.
    /// - Returns: The generation, which starts with the first `next()` of an iterator.
    public nonisolated func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream {
        LLMGenerationStream { emit in
            try request.validate()
            try await self.withLoaded { engine in
                for try await event in engine.stream(request) { emit(event) }
            }
        }
    }

    /// A stream that generates with tools when it is iterated.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - control: A handle to end the thinking, valid during the whole run.
    /// - Returns: The run, which starts with the first `next()` of an iterator.
    public nonisolated func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream {
        LLMToolGenerationStream { emit in
            _ = try request.checkedOffer()
            try request.plain(control: nil).validate()
            try await self.withLoaded { engine in
                for try await event in engine.streamWithTools(request, control: control) { emit(event) }
            }
        }
    }

    /// Keeps what is loaded for one generation.
    private func withLoaded(_ body: @Sendable (any LLMEngine) async throws -> Void) async throws {
        guard let loaded else { throw LocalLLMEngineError.noSelectionLoaded }
        let generation = generations.begin()
        defer {
            generations.end(generation)
            if isUnloadPending, generations.isEmpty { changing { engine in await engine.freeDropped() } }
        }
        try await withTaskCancellationHandler {
            try await ProviderFailure.translating(for: loaded.info.selection) { try await body(loaded.engine) }
        } onCancel: {
            generation.cancel()
        }
    }
}

extension LLMGenerationRequest {
    /// Refuses what no model can be asked for.
    ///
    /// - Throws: `LLMEngineError.invalidOptions` and `.invalidRequest`.
    func validate() throws {
        try options.validate()
        _ = try LLMChatMessage.normalizedConversation(messages)
    }
}
