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

    /// Batch sizes to try in turn: the largest allowed one, then halves down to 1.
    static func batchSizes(context: Int, limit: Int) -> [Int] {
        var sizes = [max(1, min(context, limit))]
        while let last = sizes.last, last > 1 { sizes.append(last / 2) }
        return sizes
    }

    init(_ configuration: LlamaEngineConfiguration, contextSize: Int, batchSize: Int, threads: Int) {
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

extension NativeContext {
    /// Creates a context with the largest batch that can be allocated.
    ///
    /// Throws ``LLMEngineError/contextInitFailed(_:)`` naming the batch sizes tried.
    static func create(
        model: NativeModel, configuration: LlamaEngineConfiguration, contextSize: Int, threads: Int,
        cancellation: CancellationSignal
    ) throws -> NativeContext {
        let sizes = ContextSettings.batchSizes(context: contextSize, limit: configuration.batchSizeLimit)
        var lastReason = ""
        for size in sizes {
            try cancellation.check()
            let settings = ContextSettings(configuration, contextSize: contextSize, batchSize: size, threads: threads)
            do {
                return try NativeContext(model: model, settings: settings)
            } catch LLMEngineError.contextInitFailed(let reason) {
                lastReason = reason
            }
        }
        let tried = sizes.map(String.init).joined(separator: ", ")
        throw LLMEngineError.contextInitFailed(
            "A context of \(contextSize) tokens failed with each batch size tried (\(tried)): \(lastReason)"
                + (lastReason.hasSuffix(".") ? "" : ".") + " Use a smaller context.")
    }
}
