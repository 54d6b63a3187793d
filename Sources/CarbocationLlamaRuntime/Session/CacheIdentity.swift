import CarbocationLocalLLM
import Foundation

/// What has to be equal for one context to read the KV cache of another one of the same model.
struct CacheIdentity: Codable, Hashable, Sendable {
    /// An adapter that took part in what was computed.
    struct Adapter: Codable, Hashable, Sendable {
        var file: ModelFingerprint
        var scale: Float
    }

    /// The commit of llama.cpp, whose form of the state may change with each.
    var build: String
    var contextSize: Int
    var kvTypeK: LlamaKVCacheType
    var kvTypeV: LlamaKVCacheType
    var flashAttention: LlamaFlashAttention
    var adapters: [Adapter]

    /// Why a context of this identity cannot read a cache of another one; nil when it can.
    func obstacle(toCacheOf other: CacheIdentity) -> String? {
        guard self != other else { return nil }
        return build == other.build ? "it was made with other settings" : "another build of llama.cpp made it"
    }

    /// Reads the adapters' files.
    init(_ configuration: LlamaEngineConfiguration, contextSize: Int) throws {
        build = LlamaRuntimeInfo.commit
        self.contextSize = contextSize
        kvTypeK = configuration.kvTypeK
        kvTypeV = configuration.kvTypeV
        flashAttention = configuration.flashAttention
        adapters = try configuration.adapters.map { adapter in
            Adapter(file: try ModelFingerprint(modelAt: adapter.url), scale: adapter.scale)
        }
    }
}
