import CarbocationLocalLLM

/// Computes the embeddings of one loaded model, in a context of its own.
///
/// The context is made with the first text and kept. It is only as large as the longest text so far needs.
final class TextEmbedder: Sendable {
    /// Contexts are not smaller than this, in tokens.
    static let smallestCapacity = 512
    /// Tokens computed at once: llama.cpp also computes the logits of all of them, which would take gigabytes for
    /// whole texts.
    static let largestBatch = 128

    private let model: NativeModel
    private let contextSize: Int
    private let configuration: LlamaEngineConfiguration
    /// Texts wait for their turn here instead of holding threads.
    private let work = NativeWork(isSerial: true)
    // Only work of the serial queue takes the lock.
    private let native = Locked<NativeEmbedder?>(nil)
    /// Set once ``release()`` has freed the context.
    let released = OneShot<Void>()

    init(model: NativeModel, contextSize: Int, configuration: LlamaEngineConfiguration) {
        self.model = model
        self.contextSize = contextSize
        self.configuration = configuration
    }

    /// The embeddings of `texts`, in their order.
    ///
    /// All texts are checked before the first is computed. Texts of several callers take turns.
    func embeddings(of texts: [String], options: LlamaEmbeddingOptions) async throws -> [[Float]] {
        let inputs = try await work.run { [model, contextSize] signal in
            try texts.enumerated().map { index, text in
                try signal.check()
                return try EmbeddingInput(
                    text, index: index, model: model, contextSize: contextSize, truncation: options.truncation)
            }
        }
        let longest = inputs.map(\.tokens.count).max() ?? 0
        var embeddings: [[Float]] = []
        for input in inputs {
            let values = try await work.run { signal in
                try self.embedding(of: input.tokens, longest: longest, pooling: options.pooling, signal: signal)
            }
            embeddings.append(options.normalizes ? Self.normalized(values) : values)
        }
        return embeddings
    }

    /// Frees the context, on the queue that computes.
    func release() {
        work.start { [native, released] in
            native.withLock { $0 = nil }
            released.resolve(())
        }
    }

    private func embedding(
        of tokens: [Token], longest: Int, pooling: LlamaEmbeddingPooling, signal: CancellationSignal
    ) throws -> [Float] {
        try native.withLock { native in
            try signal.check()
            let embedder = try context(&native, for: longest)
            do {
                return try embedder.embedding(of: tokens, pooling: pooling, signal: signal)
            } catch let error as LLMEngineError {
                // Its state is unknown.
                native = nil
                throw error
            }
        }
    }

    /// The context that is there, or a larger one.
    private func context(_ native: inout NativeEmbedder?, for count: Int) throws -> NativeEmbedder {
        if let native, native.capacity >= count { return native }
        // The old one and the new one need not fit into memory together.
        native = nil
        let created = try NativeEmbedder(
            model: model, capacity: Self.capacity(for: count, contextSize: contextSize),
            batchSize: min(max(1, configuration.batchSizeLimit), Self.largestBatch), threads: threads,
            adapterScales: configuration.adapters.map(\.scale))
        native = created
        return created
    }

    private var threads: Int {
        let wanted = configuration.threadCount.map(Int.init) ?? UsableCores.current().recommendedThreadCount
        return min(max(1, wanted), ContextSettings.largestThreadCount)
    }

    /// The power of two that holds `count` tokens, within the loaded context.
    static func capacity(for count: Int, contextSize: Int) -> Int {
        var capacity = smallestCapacity
        while capacity < count { capacity *= 2 }
        return min(capacity, contextSize)
    }

    /// `values` at the length 1; zeros stay zeros.
    static func normalized(_ values: [Float]) -> [Float] {
        let length = values.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        return length > 0 ? values.map { Float(Double($0) / length) } : values
    }
}
