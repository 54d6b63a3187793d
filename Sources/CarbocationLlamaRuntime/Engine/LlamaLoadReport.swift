/// What a load asked for and what it got.
package struct LlamaLoadReport: Sendable, Hashable {
    /// A batch size that no context could be made with.
    package struct Refusal: Sendable, Hashable {
        package var batchSize: Int
        package var reason: String

        package init(batchSize: Int, reason: String) {
            self.batchSize = batchSize
            self.reason = reason
        }
    }

    /// Most tokens of a batch, and most that are computed at once.
    package var batchSize: Int
    package var microBatchSize: Int
    /// Larger batches that were tried first, in that order.
    package var refusals: [Refusal]
    package var kvTypeK: LlamaKVCacheType
    package var kvTypeV: LlamaKVCacheType
    /// As configured, or what llama.cpp does with `.automatic` when the KV cache leaves no choice.
    package var flashAttention: LlamaFlashAttention
    /// The RPC servers that keep a part of the model.
    package var servers: [String]

    package init(
        batchSize: Int, microBatchSize: Int, refusals: [Refusal] = [], kvTypeK: LlamaKVCacheType = .f16,
        kvTypeV: LlamaKVCacheType = .f16, flashAttention: LlamaFlashAttention = .automatic, servers: [String] = []
    ) {
        self.batchSize = batchSize
        self.microBatchSize = microBatchSize
        self.refusals = refusals
        self.kvTypeK = kvTypeK
        self.kvTypeV = kvTypeV
        self.flashAttention = flashAttention
        self.servers = servers
    }
}

extension LlamaLoadReport {
    /// The batch size that was asked for, within the context.
    package var requestedBatchSize: Int { refusals.first?.batchSize ?? batchSize }

    init(_ settings: ContextSettings, refusals: [Refusal], servers: [RPCServerAddress]) {
        let isRequired = settings.kvTypeV.isQuantized && settings.flashAttention == .automatic
        self.init(
            batchSize: settings.batchSize, microBatchSize: settings.microBatchSize, refusals: refusals,
            kvTypeK: settings.kvTypeK, kvTypeV: settings.kvTypeV,
            flashAttention: isRequired ? .enabled : settings.flashAttention, servers: servers.map(\.name))
    }
}
