import CLlama
import CarbocationLocalLLM

/// Sole owner of one llama.cpp context that computes embeddings.
final class NativeEmbedder {
    private let raw: OpaquePointer
    /// Keeps the weights alive that the context computes with.
    private let model: NativeModel
    /// Tokens of the longest text.
    let capacity: Int
    /// Numbers of one embedding.
    let width: Int

    /// Creates a context for texts of up to `capacity` tokens, or throws ``LLMEngineError/contextInitFailed(_:)``.
    init(model: NativeModel, capacity: Int, batchSize: Int, threads: Int, adapterScales: [Float]) throws {
        var created: OpaquePointer?
        try adapterScales.withUnsafeBufferPointer { scales in
            var params = cl_embedder_params()
            params.context_size = UInt32(clamping: capacity)
            params.batch_size = UInt32(clamping: min(batchSize, capacity))
            params.threads = Int32(clamping: threads)
            params.adapter_scales = scales.baseAddress
            params.adapter_count = scales.count
            try check(cl_embedder_create(model.raw, &params, &created), lost: { .decodeFailed($0) }) {
                .contextInitFailed($0)
            }
        }
        guard let created else { throw LLMEngineError.contextInitFailed("llama.cpp returned no context.") }
        raw = created
        self.model = model
        self.capacity = capacity
        width = cl_embedder_width(created)
    }

    deinit {
        cl_embedder_free(raw)
    }

    /// The embedding of a text, not normalised.
    ///
    /// Throws `CancellationError` soon after `signal` is set, else ``LLMEngineError/decodeFailed(_:)``.
    func embedding(of tokens: [Token], pooling: LlamaEmbeddingPooling, signal: CancellationSignal) throws -> [Float] {
        var values = [Float](repeating: 0, count: width)
        try withExtendedLifetime(signal) {
            let status = cl_embedder_embed(
                raw, tokens, tokens.count, pooling.native, CancellationSignal.isSetCallback, signal.callbackContext,
                &values, values.count)
            try check(status, lost: { .decodeFailed($0) }) { .decodeFailed($0) }
        }
        return values
    }
}

extension LlamaEmbeddingPooling {
    fileprivate var native: cl_pooling {
        switch self {
        case .automatic: CL_POOLING_AUTOMATIC
        case .mean: CL_POOLING_MEAN
        case .cls: CL_POOLING_CLS
        case .last: CL_POOLING_LAST
        }
    }
}
