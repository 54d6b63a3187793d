/// The device, the build and the settings that a calibration holds for.
///
/// Everything that changes how much memory a context takes, or how much there is, is a part of it.
public struct LlamaContextCalibrationRuntimeFingerprint: Codable, Sendable, Hashable {
    /// The operating system, for example `macOS`.
    public var platform: String
    /// The model of the device, as the system calls it.
    public var deviceModel: String
    /// The memory of the device in bytes.
    public var physicalMemoryBytes: UInt64
    /// Layers kept on a GPU.
    public var gpuLayerCount: Int32
    /// Whether the model file is mapped instead of read into memory.
    public var useMemoryMap: Bool
    /// The largest batch in tokens.
    public var batchSizeLimit: Int
    /// Threads to compute with.
    public var threadCount: Int32
    /// Generations that run at the same time.
    public var maximumConcurrentSequences: Int
    /// Whether tokens are drafted ahead, which may take a context of its own.
    public var accelerationEnabled: Bool
    /// The most tokens to draft at once; 0 without acceleration.
    public var maxDraftTokens: Int
    /// The build of llama.cpp.
    public var llamaBuild: String
    /// How keys are stored in the KV cache, for example `f16`.
    public var kvTypeK: String
    /// How values are stored in the KV cache, for example `f16`.
    public var kvTypeV: String
    /// The use of flash attention: `auto`, `enabled` or `disabled`.
    public var flashAttention: String
    /// The version of how maxima are found, see ``LlamaContextCalibrationAlgorithm/version``.
    public var algorithmVersion: Int

    /// Describes a device, a build and settings.
    public init(
        platform: String,
        deviceModel: String,
        physicalMemoryBytes: UInt64,
        gpuLayerCount: Int32,
        useMemoryMap: Bool,
        batchSizeLimit: Int,
        threadCount: Int32,
        maximumConcurrentSequences: Int = 1,
        accelerationEnabled: Bool,
        maxDraftTokens: Int,
        llamaBuild: String,
        kvTypeK: String = "f16",
        kvTypeV: String = "f16",
        flashAttention: String = "auto",
        algorithmVersion: Int = LlamaContextCalibrationAlgorithm.version
    ) {
        self.platform = platform
        self.deviceModel = deviceModel
        self.physicalMemoryBytes = physicalMemoryBytes
        self.gpuLayerCount = gpuLayerCount
        self.useMemoryMap = useMemoryMap
        self.batchSizeLimit = batchSizeLimit
        self.threadCount = threadCount
        self.maximumConcurrentSequences = maximumConcurrentSequences
        self.accelerationEnabled = accelerationEnabled
        self.maxDraftTokens = maxDraftTokens
        self.llamaBuild = llamaBuild
        self.kvTypeK = kvTypeK
        self.kvTypeV = kvTypeV
        self.flashAttention = flashAttention
        self.algorithmVersion = algorithmVersion
    }
}
