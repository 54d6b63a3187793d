import CarbocationLlamaRuntime
public import CarbocationLocalLLM
public import Foundation

// What there is to load, without an engine.

extension LocalLLMEngine {
    /// The models of the system that can be used on this computer now; empty where there are none.
    ///
    /// Users turn them on and off at any time, so ask again before each use. Cheap.
    public static func availableSystemModels() -> [LLMSystemModelOption] {
        SystemModels.ofThisSystem.options()
    }

    /// Reads a stored selection.
    ///
    /// - Parameter storageValue: What `LLMModelSelection.storageValue` gave.
    /// - Returns: The selection; whether there is such a model is not asked.
    /// - Throws: ``LocalLLMEngineError/invalidSelection(_:)`` with the text.
    public static func selection(from storageValue: String) throws -> LLMModelSelection {
        guard let selection = LLMModelSelection(storageValue: storageValue) else {
            throw LocalLLMEngineError.invalidSelection(storageValue)
        }
        return selection
    }

    /// The context a model was trained for, in tokens.
    ///
    /// Reads the file's header only, or remembers it. Serves as the probe of a `ModelLibrary`.
    ///
    /// - Parameter url: A GGUF file, in the library or outside.
    /// - Returns: The number of tokens; nil when the file does not say or cannot be read.
    public static func probeTrainingContext(at url: URL) -> Int? {
        LlamaEngine.probeTrainingContext(at: url)
    }

    /// What a selected model can do, as far as that is known without loading it.
    ///
    /// What the header of a model file says is read elsewhere, so that the main thread is not held up, and remembered.
    ///
    /// - Parameters:
    ///   - selection: The model.
    ///   - library: The library that lists installed models; without it their context is 0.
    /// - Returns: What it can do. An unknown id gives what all GGUF models can, with a context of 0, and a system model
    ///   that is not available has a context of 0 as well.
    @MainActor
    public static func capabilities(
        for selection: LLMModelSelection, in library: ModelLibrary? = nil
    ) async -> LocalLLMModelCapabilities {
        switch selection {
        case .installed(let id):
            guard let library, let model = library.model(id: id) else {
                return LocalLLMModelCapabilities(ofInstalled: nil, metadata: nil)
            }
            return LocalLLMModelCapabilities(ofInstalled: model, metadata: await library.metadata(of: model))
        case .system(let id):
            return LocalLLMModelCapabilities(ofSystemModel: SystemModels.ofThisSystem.option(id))
        }
    }

    /// What to load for a stored selection, and with how much context.
    ///
    /// The context of an installed model follows `LlamaContextPolicy` from the user's preferences, its training context
    /// and what a calibration with the same configuration found; a system model has its own.
    ///
    /// - Parameters:
    ///   - storageValue: What `LLMModelSelection.storageValue` gave.
    ///   - library: The library that lists installed models.
    ///   - defaults: The user's preferences.
    ///   - contextKeys: Their keys.
    ///   - refreshingLibrary: Whether to bring the library up to date first.
    ///   - calibrationStore: Where calibrations are kept.
    ///   - configuration: How the engine will compute, which a calibration has to match.
    /// - Returns: The plan; nil when the text is no selection, the model is not listed or damaged, or the system model
    ///   is not available.
    @MainActor
    public static func loadPlan(
        from storageValue: String, in library: ModelLibrary, defaults: UserDefaults = .standard,
        contextKeys: LlamaContextPreferenceKeys = .standard, refreshingLibrary: Bool = true,
        calibrationStore: LlamaContextCalibrationStore = .shared,
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration()
    ) async -> LocalLLMLoadPlan? {
        let planner = LoadPlanner(
            library: library, defaults: defaults, contextKeys: contextKeys, calibrationStore: calibrationStore,
            configuration: configuration, systemModels: .ofThisSystem)
        return await planner.plan(from: storageValue, refreshing: refreshingLibrary)
    }
}

// MARK: - Calibration

extension LocalLLMEngine {
    /// What, besides the model, a calibration holds for: this device, this build and this configuration.
    ///
    /// - Parameter configuration: How the engine computes.
    /// - Returns: The fingerprint; equal for equal configurations on one device.
    public static func contextCalibrationRuntimeFingerprint(
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration()
    ) -> LlamaContextCalibrationRuntimeFingerprint {
        LlamaEngine.contextCalibrationRuntimeFingerprint(configuration: configuration.llama)
    }

    /// Finds out how much context a model can be loaded with on this device, and remembers it.
    ///
    /// Loads the model and decodes with several context sizes, which takes from seconds to minutes. What is loaded in
    /// engines stays so and takes memory from it: unload first for the best result. The record is an upper bound for
    /// automatic contexts; it is no guarantee for other conditions of memory.
    ///
    /// - Parameters:
    ///   - model: The model, from the library's lists.
    ///   - library: The library that lists it.
    ///   - store: Where the record is kept.
    ///   - configuration: How the engine will compute.
    ///   - onProgress: Called in order, never after this returned or threw.
    /// - Returns: The record.
    /// - Throws: `LLMEngineError.contextInitFailed` when not even the smallest context works, and the errors of loading;
    ///   `CancellationError` when the task was cancelled, and then nothing is stored.
    public static func calibrateContext(
        for model: InstalledModel, in library: ModelLibrary, store: LlamaContextCalibrationStore = .shared,
        configuration: LocalLLMEngineConfiguration = LocalLLMEngineConfiguration(),
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void = { _ in }
    ) async throws -> LlamaContextCalibrationRecord {
        try await LlamaEngine(configuration: configuration.llama).calibrateContext(
            model: model, from: library, store: store, onProgress: onProgress)
    }
}
