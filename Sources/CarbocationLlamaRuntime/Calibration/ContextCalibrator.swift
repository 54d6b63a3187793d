import CarbocationLocalLLM

/// Finds the largest context of a model that fits and works, and stores it.
///
/// Decides; what is done with the model is the matter of a ``ContextProbing``.
actor ContextCalibrator {
    private let prober: any ContextProbing
    private let batchSizeLimit: Int
    private let budgets: ContextBudgets
    private let onProgress: @Sendable (LlamaContextCalibrationProgress) -> Void
    private var progress = LlamaContextCalibrationProgress(phase: .loadingModel)
    private var needsReload = false
    /// Why the smallest context that was tried cannot be made at all, whatever its batch.
    private var obstacle: String?

    init(
        prober: any ContextProbing, batchSizeLimit: Int, budgets: ContextBudgets,
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void
    ) {
        self.prober = prober
        self.batchSizeLimit = batchSizeLimit
        self.budgets = budgets
        self.onProgress = onProgress
    }

    /// Calibrates, and hands the maximum and the probes to `save`, which returns the record as it is stored.
    ///
    /// Throws `CancellationError` when the task is cancelled, after which nothing was saved;
    /// `LLMEngineError.contextInitFailed` when no context works; what loading and saving throw.
    func run(
        save: @Sendable (Int, [LlamaContextCalibrationProbe]) async throws -> LlamaContextCalibrationRecord
    ) async throws -> LlamaContextCalibrationRecord {
        do {
            let (maximum, probes) = try await search()
            try Task.checkCancellation()
            report(.saving, context: maximum)
            let record = try await save(maximum, probes)
            await prober.close()
            // There will be no more probes.
            progress.totalProbes = progress.completedProbes
            report(.completed, context: maximum)
            return record
        } catch {
            await prober.close()
            if error is CancellationError { report(.cancelled) }
            throw error
        }
    }

    private func search() async throws -> (maximum: Int, probes: [LlamaContextCalibrationProbe]) {
        try Task.checkCancellation()
        report(.loadingModel)
        let training = min(try await prober.open(), ContextSettings.largestContext)
        let tiers = LlamaContextCalibrationAlgorithm.tiers(upTo: training)
        progress.totalProbes = LlamaContextCalibrationAlgorithm.maximumProbeCount(tierCount: tiers.count)
        let (maximum, probes) = try await LlamaContextCalibrationAlgorithm.search(tiers: tiers) { tier in
            try await self.probe(tier)
        }
        guard let maximum else {
            if let obstacle { throw LLMEngineError.contextInitFailed(obstacle) }
            throw LLMEngineError.contextInitFailed(
                "No context of this model fits into the memory and works, not even one of \(tiers[0]) tokens. "
                    + "Choose a smaller model, or free memory and calibrate again.")
        }
        return (maximum, probes)
    }

    /// Whether a context of this size fits and works.
    private func probe(_ tier: Int) async throws -> Bool {
        try Task.checkCancellation()
        report(.probing, context: tier)
        if needsReload {
            try await prober.reload()
            needsReload = false
        }
        obstacle = nil
        let succeeded = try await succeeds(tier)
        progress.completedProbes += 1
        if succeeded { progress.lastSuccessfulContext = max(tier, progress.lastSuccessfulContext ?? 0) }
        report(succeeded ? .probeSucceeded : .probeFailed, context: tier)
        return succeeded
    }

    /// Tries batches as a load does, from the largest to one token, but only those whose estimate fits.
    private func succeeds(_ tier: Int) async throws -> Bool {
        do {
            for batchSize in ContextSettings.batchSizes(context: tier, limit: batchSizeLimit) {
                try Task.checkCancellation()
                let trial = ContextTrial(contextSize: tier, batchSize: batchSize)
                guard let devices = try await measured(trial) else { continue }
                guard budgets.admit(devices) else {
                    // A smaller batch takes less to compute, and nothing else.
                    guard budgets.admit(devices.map(\.withoutCompute)) else { return false }
                    continue
                }
                switch try await prober.probe(trial) {
                case .computed: return true
                case .refused: continue
                case .failed(let reason):
                    needsReload = true
                    note("A context of \(tier) tokens could be made but not used: \(reason)")
                    return false
                }
            }
            return false
        } catch let unsupported as UnsupportedContext {
            // It may be the size all the same: an assertion of ggml does not say.
            obstacle = unsupported.reason
            note("A context of \(tier) tokens is not possible: \(unsupported.reason)")
            return false
        }
    }

    /// Nil when llama.cpp refuses such a context.
    private func measured(_ trial: ContextTrial) async throws -> [DeviceMemory]? {
        do {
            return try await prober.measure(trial)
        } catch LLMEngineError.contextInitFailed(let reason) {
            note("A context of \(trial.contextSize) tokens was refused: \(reason)")
            return nil
        }
    }

    private func report(_ phase: LlamaContextCalibrationProgressPhase, context: Int? = nil) {
        progress.phase = phase
        progress.currentContext = context
        onProgress(progress)
    }

    private func note(_ message: String) {
        LLMDiagnostics.record(.info, category: "calibration", message)
    }
}

extension DeviceMemory {
    fileprivate var withoutCompute: DeviceMemory {
        var copy = self
        copy.computeBytes = 0
        return copy
    }
}
