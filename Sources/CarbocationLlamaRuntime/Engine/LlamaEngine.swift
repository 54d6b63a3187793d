public import CarbocationLocalLLM
public import Foundation

/// Generates text with GGUF models through llama.cpp.
///
/// ```swift
/// let engine = LlamaEngine()
/// try await engine.load(modelAt: url, requestedContext: 4096)
/// for try await case .contentDelta(_, let text, _) in engine.stream(LLMGenerationRequest(prompt: "Hello")) {
///     print(text, terminator: "")
/// }
/// ```
///
/// One engine holds one loaded model. Several generations run at the same time on it, up to
/// ``LlamaEngineConfiguration/maximumConcurrentSequences``; further ones wait in the order of their arrival. All
/// blocking work happens on threads of the engine's own, so state queries answer while it generates.
public actor LlamaEngine: LLMEngine {
    /// An engine with the default configuration, for apps that need only one.
    public static let shared = LlamaEngine()

    let configuration: LlamaEngineConfiguration
    let work = NativeWork()
    private let pacing: Speculation.Pacing
    private var loaded: LoadedModel?
    private var loadedInfo: LlamaLoadedModelInfo?
    /// The end of the memory of the model that was loaded last.
    private(set) var lastRelease: ModelRelease?
    private var lastLoad: Task<Void, Never>?
    private var activeGenerations = 0
    private var isUnloadPending = false
    private var lastJobID: GenerationJob.ID = 0
    /// What the KV cache spared the generation that ended last.
    var lastReuse: PromptReuse?

    /// Creates an engine with nothing loaded.
    public init(configuration: LlamaEngineConfiguration = LlamaEngineConfiguration()) {
        self.init(configuration: configuration, pacing: .measured)
    }

    init(configuration: LlamaEngineConfiguration, pacing: Speculation.Pacing) {
        self.configuration = configuration
        self.pacing = pacing
    }
}

// MARK: - Loading

extension LlamaEngine {
    /// Loads a GGUF file.
    ///
    /// Loading what is loaded already with the same context returns at once. Anything else replaces the loaded model;
    /// when loading fails or is cancelled, nothing is loaded.
    ///
    /// - Parameters:
    ///   - url: The file; of a split set, its first part.
    ///   - id: The installed model's id, reported by ``currentModelID()``.
    ///   - displayName: A name for people.
    ///   - requestedContext: Tokens of context, at least 512 and at most what the model was trained on; 0 or less
    ///     chooses the training context.
    /// - Returns: What was loaded.
    /// - Throws: `LLMEngineError.runtimeUnavailable`, `.modelLoadFailed` (also while a generation runs) or
    ///   `.contextInitFailed`; `CancellationError` when the task was cancelled.
    @discardableResult
    public func load(
        modelAt url: URL, id: UUID? = nil, displayName: String? = nil, requestedContext: Int
    ) async throws -> LlamaLoadedModelInfo {
        let descriptor = LlamaModelDescriptor(id: id, url: url, displayName: displayName)
        return try await load(descriptor: descriptor, requestedContext: requestedContext)
    }

    /// Loads the model that `descriptor` names, see ``load(modelAt:id:displayName:requestedContext:)``.
    ///
    /// - Parameters:
    ///   - descriptor: The file and what to call it.
    ///   - requestedContext: Tokens of context; 0 or less chooses the training context.
    /// - Returns: What was loaded.
    /// - Throws: The errors of ``load(modelAt:id:displayName:requestedContext:)``.
    @discardableResult
    public func load(
        descriptor: LlamaModelDescriptor, requestedContext: Int
    ) async throws -> LlamaLoadedModelInfo {
        let previous = lastLoad
        let load = Task {
            await previous?.value
            return try await replaceLoaded(with: descriptor, requestedContext: requestedContext)
        }
        lastLoad = Task { _ = try? await load.value }
        return try await withTaskCancellationHandler {
            try await load.value
        } onCancel: {
            load.cancel()
        }
    }

    /// Frees the model and its context, once the running generations are over.
    ///
    /// Returns when the memory is free, but without waiting for running generations: they keep the model and release
    /// it with the last of them. Generations that start afterwards throw `LLMEngineError.noModelLoaded`.
    public func unload() async {
        await lastLoad?.value
        isUnloadPending = activeGenerations > 0
        guard !isUnloadPending else { return }
        dropLoaded()
        await lastRelease?.finished()
    }

    /// What is loaded, or nil.
    public func currentLoadedModelInfo() -> LlamaLoadedModelInfo? {
        loadedInfo
    }

    /// The id that the loaded model was given, or nil.
    public func currentModelID() -> UUID? {
        loadedInfo?.modelID
    }

    /// Tokens of the loaded context; 0 when nothing is loaded.
    public func currentContextSize() -> Int {
        loadedInfo?.contextSize ?? 0
    }

    /// Whether a model is loaded that can compute; false after a failure that only another load ends.
    var isUsable: Bool { loaded?.isUsable ?? false }

    /// The threads that the loaded model computes with now: as configured, else what the engine chose last.
    package func currentThreadChoice() -> ThreadChoice? {
        loaded?.threadChoice
    }

    /// What the loaded model's context was made with.
    package func currentLoadReport() -> LlamaLoadReport? {
        loaded?.report
    }

    /// Why not more of the prompt of the generation that ended last was cached, in words; nil before the first one.
    package func lastPromptReuseReason() -> String? {
        lastReuse?.explanation
    }

    private func replaceLoaded(
        with descriptor: LlamaModelDescriptor, requestedContext: Int
    ) async throws -> LlamaLoadedModelInfo {
        let loader = ModelLoader(
            descriptor: descriptor, requestedContext: requestedContext, configuration: configuration,
            pacing: pacing)
        if activeGenerations == 0 { isUnloadPending = false }
        if let loaded, !isUnloadPending, loader.matches(loaded) {
            let info = loader.renamed(loaded.info)
            loadedInfo = info
            return info
        }
        guard activeGenerations == 0 else { throw LLMEngineError.generationIsActive }
        dropLoaded()
        // The old model and the new one need not fit into memory together.
        await lastRelease?.finished()
        let model: LoadedModel
        do {
            model = try await work.run { signal in try loader.load(signal) }
        } catch {
            // What a failed load has opened is waited for by the next one, too.
            lastRelease = loader.opened.release
            throw error
        }
        lastRelease = model.release
        try Task.checkCancellation()
        loaded = model
        loadedInfo = model.info
        return model.info
    }
}

// MARK: - Leases

extension LlamaEngine {
    /// Keeps the loaded model for one generation; every lease is given back with ``endLease()``.
    ///
    /// A request that cannot work with any model is refused first.
    func beginLease(validating request: LLMGenerationRequest) throws -> LoadedModel {
        try Self.validate(request)
        return try beginLease()
    }

    /// Keeps the loaded model for some other work, which counts as a generation.
    func beginLease() throws -> LoadedModel {
        let model = try requireLoaded()
        activeGenerations += 1
        return model
    }

    func endLease() {
        activeGenerations -= 1
        guard activeGenerations == 0, isUnloadPending else { return }
        isUnloadPending = false
        dropLoaded()
    }

    private func dropLoaded() {
        loaded = nil
        loadedInfo = nil
    }

    /// The loaded model, after refusing a request that cannot work with any model.
    func requireLoaded(validating request: LLMGenerationRequest) throws -> LoadedModel {
        try Self.validate(request)
        return try requireLoaded()
    }

    private static func validate(_ request: LLMGenerationRequest) throws {
        try request.options.validate()
        _ = try LLMChatMessage.normalizedConversation(request.messages)
    }

    private func requireLoaded() throws -> LoadedModel {
        guard let loaded, !isUnloadPending else { throw LLMEngineError.noModelLoaded }
        return loaded
    }

    func nextJobID() -> GenerationJob.ID {
        lastJobID += 1
        return lastJobID
    }
}
