public import CarbocationLocalLLM
package import Foundation

extension LlamaEngine {
    /// What calibrations with a configuration hold for, on this computer and in this build of llama.cpp.
    ///
    /// A record is found again only with an equal fingerprint. Costs no more than a look at the system.
    ///
    /// - Parameter configuration: How models are loaded.
    /// - Returns: The fingerprint. Its thread count is 0 when the engine chooses.
    public static func contextCalibrationRuntimeFingerprint(
        configuration: LlamaEngineConfiguration = LlamaEngineConfiguration()
    ) -> LlamaContextCalibrationRuntimeFingerprint {
        LlamaContextCalibrationRuntimeFingerprint(configuration)
    }

    /// Finds out how large a context of a model this computer can hold, and stores it.
    ///
    /// Sizes are estimated before they are tried. Those that fit are really made and computed with, one after the
    /// other, with this engine's configuration; that takes seconds for small models and minutes for large ones. What
    /// this engine has loaded stays loaded and usable, but its memory is not available to the calibration: unload first
    /// to learn what an otherwise idle computer can hold.
    ///
    /// - Parameters:
    ///   - model: The model, from the library's lists.
    ///   - library: The library that lists it.
    ///   - store: Where the record goes.
    ///   - onProgress: Told every step, from any thread.
    /// - Returns: The record as it is stored.
    /// - Throws: `LLMEngineError.runtimeUnavailable`, `.modelLoadFailed`, or `.contextInitFailed` when no size works or
    ///   the configuration has RPC servers; what the store throws; `CancellationError` when the task was cancelled, after
    ///   which nothing is stored.
    public func calibrateContext(
        model: InstalledModel, from library: ModelLibrary, store: LlamaContextCalibrationStore = .shared,
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void = { _ in }
    ) async throws -> LlamaContextCalibrationRecord {
        try await Self.calibrateContext(
            modelAt: model.weightsURL(in: library.root), model: model, configuration: configuration, store: store,
            onProgress: onProgress)
    }

    /// Calibrates the model in a file, see ``calibrateContext(model:from:store:onProgress:)``.
    package static func calibrateContext(
        modelAt url: URL, model: InstalledModel, configuration: LlamaEngineConfiguration,
        store: LlamaContextCalibrationStore, onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void
    ) async throws -> LlamaContextCalibrationRecord {
        let work = NativeWork()
        let prober = LlamaContextProber(file: ModelFile(url: url), configuration: configuration, work: work)
        let calibrator = ContextCalibrator(
            prober: prober, batchSizeLimit: configuration.batchSizeLimit, budgets: .current(), onProgress: onProgress)
        return try await calibrator.run(model: model, runtime: .init(configuration), store: store, work: work)
    }
}

extension ContextCalibrator {
    /// Calibrates, and stores what was found for this model and runtime.
    func run(
        model: InstalledModel, runtime: LlamaContextCalibrationRuntimeFingerprint,
        store: LlamaContextCalibrationStore, work: NativeWork
    ) async throws -> LlamaContextCalibrationRecord {
        try await run { maximum, probes in
            // The store blocks for files.
            try await work.run { signal in
                let key = LlamaContextCalibrationKey(
                    deviceID: store.deviceID(), model: LlamaContextCalibrationModelFingerprint(model: model),
                    runtime: runtime)
                let now = Date()
                let record = LlamaContextCalibrationRecord(
                    key: key, maximumSupportedContext: maximum, probedTiers: probes, createdAt: now, updatedAt: now)
                try signal.check()
                try store.save(record)
                // The time of creation is the first calibration's.
                return store.record(for: key) ?? record
            }
        }
    }
}
