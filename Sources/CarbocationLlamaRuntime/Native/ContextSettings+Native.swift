import CLlama

extension cl_context_params {
    /// What the native layer makes of settings, for contexts and for their measurement.
    init(_ settings: ContextSettings) {
        self.init()
        context_size = UInt32(clamping: settings.contextSize)
        batch_size = UInt32(clamping: settings.batchSize)
        micro_batch_size = UInt32(clamping: settings.microBatchSize)
        maximum_sequences = UInt32(settings.maximumSequences)
        threads = Int32(settings.threads)
        batch_threads = Int32(settings.threads)
        type_k = settings.kvTypeK.native
        type_v = settings.kvTypeV.native
        flash_attention = settings.flashAttention.native
        prediction_tokens = UInt32(settings.predictionTokens)
    }
}

extension LlamaKVCacheType {
    fileprivate var native: cl_kv_type {
        switch self {
        case .f16: CL_KV_F16
        case .bf16: CL_KV_BF16
        case .q8_0: CL_KV_Q8_0
        case .q4_0: CL_KV_Q4_0
        }
    }
}

extension LlamaFlashAttention {
    fileprivate var native: cl_flash_attention {
        switch self {
        case .automatic: CL_FLASH_ATTENTION_AUTO
        case .enabled: CL_FLASH_ATTENTION_ENABLED
        case .disabled: CL_FLASH_ATTENTION_DISABLED
        }
    }
}
