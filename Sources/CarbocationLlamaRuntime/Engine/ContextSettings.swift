import CarbocationLocalLLM

/// The sizes of one llama.cpp context.
struct ContextSettings: Hashable, Sendable {
    /// Entries that llama.cpp computes at once, at most.
    static let largestMicroBatch = 512
    /// More cells than any machine can hold; also what the native layer takes.
    static let largestContext = 1 << 24
    /// ggml's limit.
    static let largestThreadCount = 512

    var contextSize: Int
    var batchSize: Int
    var microBatchSize: Int
    var maximumSequences: Int
    var threads: Int
    var kvTypeK: LlamaKVCacheType
    var kvTypeV: LlamaKVCacheType
    var flashAttention: LlamaFlashAttention
    /// One for each adapter of the model.
    var adapterScales: [Float]
    /// Most tokens drafted at once with the model's prediction layers; 0 leaves them alone.
    var predictionTokens = 0

    /// Batch sizes to try in turn: the largest allowed one, then halves down to 1.
    static func batchSizes(context: Int, limit: Int) -> [Int] {
        var sizes = [max(1, min(context, limit))]
        while let last = sizes.last, last > 1 { sizes.append(last / 2) }
        return sizes
    }

    init(
        _ configuration: LlamaEngineConfiguration, contextSize: Int, batchSize: Int, threads: Int,
        predictionTokens: Int = 0
    ) {
        self.predictionTokens = predictionTokens
        self.contextSize = contextSize
        self.batchSize = batchSize
        microBatchSize = min(batchSize, Self.largestMicroBatch)
        maximumSequences = configuration.usableSequences
        self.threads = threads
        kvTypeK = configuration.kvTypeK
        kvTypeV = configuration.kvTypeV
        flashAttention = configuration.flashAttention
        adapterScales = configuration.adapters.map(\.scale)
    }
}

extension LlamaEngineConfiguration {
    /// The configured number of sequences within what llama.cpp can hold.
    var usableSequences: Int { min(max(1, maximumConcurrentSequences), 64) }
}

/// A context with the largest batch that could be allocated, and what was tried before.
struct SteppedContext<Context> {
    let context: Context
    let settings: ContextSettings
    let refusals: [LlamaLoadReport.Refusal]

    /// Makes a context by `make`, with the largest batch that works.
    ///
    /// Throws ``LLMEngineError/contextInitFailed(_:)``, naming the batch sizes tried unless none would work, and any
    /// other error of `make`.
    init(
        configuration: LlamaEngineConfiguration, contextSize: Int, threads: Int,
        predictionTokens: Int = 0, cancellation: CancellationSignal,
        make: (ContextSettings) throws -> Context
    ) throws {
        let sizes = ContextSettings.batchSizes(context: contextSize, limit: configuration.batchSizeLimit)
        var refusals: [LlamaLoadReport.Refusal] = []
        for size in sizes {
            try cancellation.check()
            let settings = ContextSettings(
                configuration, contextSize: contextSize, batchSize: size, threads: threads,
                predictionTokens: predictionTokens)
            do {
                context = try make(settings)
                self.settings = settings
                self.refusals = refusals
                reportStepDown()
                return
            } catch LLMEngineError.contextInitFailed(let reason) {
                refusals.append(LlamaLoadReport.Refusal(batchSize: size, reason: reason))
            } catch let unsupported as UnsupportedContext {
                throw LLMEngineError.contextInitFailed(unsupported.reason)
            }
        }
        let tried = sizes.map(String.init).joined(separator: ", ")
        let reason = refusals.last?.reason ?? ""
        throw LLMEngineError.contextInitFailed(
            "A context of \(contextSize) tokens failed with each batch size tried (\(tried)): \(reason)"
                + (reason.hasSuffix(".") ? "" : ".") + " Use a smaller context.")
    }

    private func reportStepDown() {
        guard let first = refusals.first else { return }
        LLMDiagnostics.record(
            .warning, category: "load",
            "The batch size was reduced from \(first.batchSize) to \(settings.batchSize): \(first.reason)")
    }
}

extension LlamaEngineConfiguration {
    /// Throws ``LLMEngineError/contextInitFailed(_:)`` for settings that no model can be computed with.
    func checkCacheTypes() throws {
        guard kvTypeV.isQuantized, flashAttention == .disabled else { return }
        throw LLMEngineError.contextInitFailed(
            "kvTypeV is \(kvTypeV.rawValue), which needs flash attention, but flashAttention is disabled. "
                + "Set flashAttention to auto, or kvTypeV to f16.")
    }
}
