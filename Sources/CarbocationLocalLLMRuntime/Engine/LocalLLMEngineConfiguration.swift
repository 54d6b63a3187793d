public import CarbocationLlamaRuntime
public import CarbocationLocalLLM
public import Foundation

/// How a ``LocalLLMEngine`` or ``LocalLLMSession`` computes.
///
/// What begins with `llama` concerns GGUF models only.
public struct LocalLLMEngineConfiguration: Sendable, Hashable {
    /// Layers kept on a GPU where there is one; 0 or less computes on the CPU only.
    public var llamaGPULayerCount: Int32
    /// Maps the model file instead of reading it into memory.
    public var llamaUseMemoryMap: Bool
    /// Largest batch in tokens; halves of it are tried when memory is short.
    public var llamaBatchSizeLimit: Int
    /// Threads to compute with; nil lets the engine choose from the usable cores.
    public var llamaThreadCount: Int32?
    /// Tokens of the context that generations leave free.
    public var promptReserveTokens: Int
    /// Seconds without output while queueing or computing a prompt after which a diagnostic is sent.
    public var heartbeatInterval: TimeInterval
    /// Whether tokens are drafted ahead and verified together, which changes no text.
    public var accelerationPolicy: LLMAccelerationPolicy
    /// Most tokens to draft at once with the model's own prediction layers, 1 to 32.
    public var mtpMaxDraftTokens: Int
    /// The GGUF file of a smaller model with the same vocabulary, which drafts for the selected one.
    public var llamaDraftModelURL: URL?
    /// Generations that run at the same time on one loaded model; sessions always have one.
    public var llamaMaximumConcurrentSequences: Int

    /// Creates a configuration; every default suits most apps.
    public init(
        llamaGPULayerCount: Int32 = LlamaEngineConfiguration.defaultGPULayerCount,
        llamaUseMemoryMap: Bool = true,
        llamaBatchSizeLimit: Int = LlamaEngineConfiguration.defaultBatchSizeLimit,
        llamaThreadCount: Int32? = nil,
        promptReserveTokens: Int = 0,
        heartbeatInterval: TimeInterval = 2,
        accelerationPolicy: LLMAccelerationPolicy = .automatic,
        mtpMaxDraftTokens: Int = 1,
        llamaDraftModelURL: URL? = nil,
        llamaMaximumConcurrentSequences: Int = LlamaEngineConfiguration.defaultMaximumConcurrentSequences
    ) {
        self.llamaGPULayerCount = llamaGPULayerCount
        self.llamaUseMemoryMap = llamaUseMemoryMap
        self.llamaBatchSizeLimit = llamaBatchSizeLimit
        self.llamaThreadCount = llamaThreadCount
        self.promptReserveTokens = promptReserveTokens
        self.heartbeatInterval = heartbeatInterval
        self.accelerationPolicy = accelerationPolicy
        self.mtpMaxDraftTokens = mtpMaxDraftTokens
        self.llamaDraftModelURL = llamaDraftModelURL
        self.llamaMaximumConcurrentSequences = llamaMaximumConcurrentSequences
    }
}

extension LocalLLMEngineConfiguration {
    /// The same for the llama.cpp engine.
    package var llama: LlamaEngineConfiguration {
        LlamaEngineConfiguration(
            gpuLayerCount: llamaGPULayerCount, useMemoryMap: llamaUseMemoryMap, batchSizeLimit: llamaBatchSizeLimit,
            threadCount: llamaThreadCount, promptReserveTokens: promptReserveTokens,
            heartbeatInterval: heartbeatInterval, maximumConcurrentSequences: llamaMaximumConcurrentSequences,
            accelerationPolicy: accelerationPolicy, mtpMaxDraftTokens: mtpMaxDraftTokens,
            draftModelURL: llamaDraftModelURL)
    }
}
