import CLlama

/// Owner of one `cl_embedder`, computing on one thread.
final class Embedder {
    let raw: OpaquePointer
    let model: Model

    static func parameters(_ change: (inout cl_embedder_params) -> Void = { _ in }) -> cl_embedder_params {
        var params = cl_embedder_params()
        params.context_size = 256
        params.batch_size = 32
        params.threads = 1
        change(&params)
        return params
    }

    init(_ model: Model, scales: [Float] = [], _ params: cl_embedder_params = Embedder.parameters()) throws {
        var params = params
        var created: OpaquePointer?
        try scales.withUnsafeBufferPointer { scales in
            params.adapter_scales = scales.baseAddress
            params.adapter_count = scales.count
            try check(cl_embedder_create(model.raw, &params, &created))
        }
        raw = created!
        self.model = model
    }

    var width: Int { cl_embedder_width(raw) }

    func embed(
        _ tokens: [Int32], pooling: cl_pooling = CL_POOLING_MEAN, capacity: Int? = nil,
        stop: cl_embedding_stop? = nil
    ) throws -> [Float] {
        var values = [Float](repeating: .nan, count: width)
        try check(
            cl_embedder_embed(raw, tokens, tokens.count, pooling, stop, nil, &values, capacity ?? values.count))
        return values
    }

    deinit {
        cl_embedder_free(raw)
    }
}
