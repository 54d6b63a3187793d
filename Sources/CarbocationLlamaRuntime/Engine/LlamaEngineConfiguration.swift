public import CarbocationLocalLLM
public import Foundation

/// How keys or values are stored in the KV cache.
public enum LlamaKVCacheType: String, Codable, Sendable, Hashable {
    /// 16-bit floats, the default.
    case f16
    /// 16-bit brain floats.
    case bf16
    /// 8-bit blocks: half the memory of ``f16``, little loss.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case q8_0
    /// 4-bit blocks: a quarter of the memory of ``f16``, noticeable loss.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case q4_0
}

extension LlamaKVCacheType {
    /// Whether numbers are stored in blocks with a common scale.
    var isQuantized: Bool { self == .q8_0 || self == .q4_0 }
}

/// Whether attention is computed without materialising the score matrix.
public enum LlamaFlashAttention: String, Codable, Sendable, Hashable {
    /// llama.cpp decides by model and device.
    case automatic = "auto"
    /// Always on; quantised values in the KV cache need it.
    case enabled
    /// Always off.
    case disabled
}

/// How a ``LlamaEngine`` loads models and schedules generations.
public struct LlamaEngineConfiguration: Sendable, Hashable {
    /// Layers kept on a GPU where there is one; 0 or less computes on the CPU only.
    public var gpuLayerCount: Int32
    /// Maps the model file instead of reading it into memory.
    public var useMemoryMap: Bool
    /// Largest batch in tokens; halves of it are tried when memory is short.
    public var batchSizeLimit: Int
    /// Threads to compute with; nil lets the engine choose from the usable cores.
    public var threadCount: Int32?
    /// Tokens of the context that generations leave free.
    public var promptReserveTokens: Int
    /// Seconds without output while queueing or computing a prompt after which a diagnostic is sent.
    public var heartbeatInterval: TimeInterval
    /// Generations that run at the same time on one loaded context.
    public var maximumConcurrentSequences: Int
    /// Whether tokens are drafted ahead and verified together, which changes no text.
    ///
    /// Drafts come from the model's own prediction layers when it has any, else from the model at ``draftModelURL``,
    /// else from earlier occurrences of the last tokens. They are left out while that is faster.
    public var accelerationPolicy: LLMAccelerationPolicy
    /// Most tokens to draft at once with the model's prediction layers, 1 to 32.
    public var mtpMaxDraftTokens: Int
    /// The GGUF file of a smaller model with the same vocabulary; loaded with the model, and not used without need.
    public var draftModelURL: URL?
    /// Most tokens to draft at once with that model, 1 to 32.
    public var draftModelMaxTokens: Int
    /// Most tokens to draft at once from earlier occurrences, 1 to 32.
    public var ngramMaxDraftTokens: Int
    /// Storage of keys in the KV cache.
    public var kvTypeK: LlamaKVCacheType
    /// Storage of values in the KV cache; blocks need flash attention.
    public var kvTypeV: LlamaKVCacheType
    /// Use of flash attention.
    public var flashAttention: LlamaFlashAttention
    /// LoRA adapters to compute with, all at the same time; part of what a load loads.
    public var adapters: [LlamaAdapter]
    /// Machines that keep layers of the model and compute them, as "host:port" of an RPC server of llama.cpp.
    ///
    /// Layers are spread over these servers and the GPUs of this machine by the memory that is free on each, so that
    /// a model can be larger than any of them; what is left of ``gpuLayerCount`` stays here, and with 0 no server is
    /// used. IPv6 addresses stand in brackets. A server works for one program at a time and is connected while the model
    /// is loaded; engines of this process share the connection.
    ///
    /// - Warning: The protocol is neither encrypted nor authenticated, and weights, prompts and answers go through it.
    ///   Use it in networks that you trust only.
    public var rpcServers: [String]
    /// How long servers may take.
    package var rpcTimeLimits = RPCTimeLimits()

    /// Creates a configuration; every default suits most apps.
    public init(
        gpuLayerCount: Int32 = LlamaEngineConfiguration.defaultGPULayerCount,
        useMemoryMap: Bool = true,
        batchSizeLimit: Int = LlamaEngineConfiguration.defaultBatchSizeLimit,
        threadCount: Int32? = nil,
        promptReserveTokens: Int = 0,
        heartbeatInterval: TimeInterval = 2,
        maximumConcurrentSequences: Int = LlamaEngineConfiguration.defaultMaximumConcurrentSequences,
        accelerationPolicy: LLMAccelerationPolicy = .automatic,
        mtpMaxDraftTokens: Int = 1,
        draftModelURL: URL? = nil,
        draftModelMaxTokens: Int = 8,
        ngramMaxDraftTokens: Int = 16,
        kvTypeK: LlamaKVCacheType = .f16,
        kvTypeV: LlamaKVCacheType = .f16,
        flashAttention: LlamaFlashAttention = .automatic,
        adapters: [LlamaAdapter] = [],
        rpcServers: [String] = []
    ) {
        self.gpuLayerCount = gpuLayerCount
        self.useMemoryMap = useMemoryMap
        self.batchSizeLimit = batchSizeLimit
        self.threadCount = threadCount
        self.promptReserveTokens = promptReserveTokens
        self.heartbeatInterval = heartbeatInterval
        self.maximumConcurrentSequences = maximumConcurrentSequences
        self.accelerationPolicy = accelerationPolicy
        self.mtpMaxDraftTokens = mtpMaxDraftTokens
        self.draftModelURL = draftModelURL
        self.draftModelMaxTokens = draftModelMaxTokens
        self.ngramMaxDraftTokens = ngramMaxDraftTokens
        self.kvTypeK = kvTypeK
        self.kvTypeV = kvTypeV
        self.flashAttention = flashAttention
        self.adapters = adapters
        self.rpcServers = rpcServers
    }
}

extension LlamaEngineConfiguration {
    #if os(iOS)
        /// 0 on iOS: the GPU budget of an app is too small to rely on.
        public static var defaultGPULayerCount: Int32 { 0 }
        /// 64 tokens on iOS, which keeps compute buffers small.
        public static var defaultBatchSizeLimit: Int { 64 }
        /// One generation at a time on iOS.
        public static var defaultMaximumConcurrentSequences: Int { 1 }
    #else
        /// 999: all layers.
        public static var defaultGPULayerCount: Int32 { 999 }
        /// 2048 tokens.
        public static var defaultBatchSizeLimit: Int { 2048 }
        /// Four generations at a time.
        public static var defaultMaximumConcurrentSequences: Int { 4 }
    #endif
}
