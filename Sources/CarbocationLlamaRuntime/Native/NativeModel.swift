import CLlama
import CarbocationLocalLLM
import Foundation

/// Sole owner of loaded weights and their vocabulary.
// `@unchecked` because the handle is immutable after loading and llama.cpp's vocabulary calls are thread-safe.
final class NativeModel: @unchecked Sendable {
    let raw: OpaquePointer
    /// Set once the weights are freed, if there were any.
    let freed = OneShot<Void>()
    private let isVocabularyOnly: Bool
    private let info: cl_model_info

    /// Loads the GGUF file at `path`, blocking until done.
    ///
    /// `progress` is told the loaded fraction and returns false to cancel, which throws `CancellationError`; so does
    /// `signal` while servers are waited for.
    init(
        path: String,
        gpuLayers: Int32 = 0,
        usesMemoryMap: Bool = true,
        predicts: Bool = false,
        vocabularyOnly: Bool = false,
        servers: NativeServers = NativeServers([], limits: RPCTimeLimits()),
        signal: CancellationSignal = CancellationSignal(),
        progress: @escaping (Float) -> Bool = { _ in true }
    ) throws {
        NativeLog.install
        let observer = ProgressObserver(progress)
        var params = cl_model_params()
        params.gpu_layers = gpuLayers
        params.use_mmap = usesMemoryMap
        params.predicts = predicts
        params.vocab_only = vocabularyOnly
        params.progress_context = Unmanaged.passUnretained(observer).toOpaque()
        params.progress = { fraction, context in
            guard let context else { return true }
            return Unmanaged<ProgressObserver>.fromOpaque(context).takeUnretainedValue().report(fraction)
        }
        params.server_limits = servers.limits
        params.wants_stop = CancellationSignal.isSetCallback
        params.stop_context = signal.callbackContext
        var opened: OpaquePointer?
        try withExtendedLifetime((observer, signal, servers)) {
            try servers.servers.withUnsafeBufferPointer { buffer in
                params.servers = buffer.baseAddress
                params.server_count = buffer.count
                try check(cl_model_load(path, &params, &opened)) { .modelLoadFailed($0) }
            }
        }
        guard let opened else { throw LLMEngineError.modelLoadFailed("llama.cpp returned no model.") }
        raw = opened
        isVocabularyOnly = vocabularyOnly
        var info = cl_model_info()
        cl_model_get_info(opened, &info)
        self.info = info
    }

    /// Adds the LoRA adapter at `path`; part of loading.
    func addAdapter(path: String) throws {
        let name = URL(fileURLWithPath: path).lastPathComponent
        try check(cl_model_add_adapter(raw, path)) { reason in
            .modelLoadFailed(
                "The adapter \(name) does not fit the model: \(reason). Choose an adapter that was made for this model."
            )
        }
    }

    /// Whether an RPC server with a part of the weights was lost, so that only another load helps.
    var hasLostServer: Bool { cl_model_has_lost_server(raw) }

    /// Looks whether all RPC servers are still connected; one that is not counts as lost from now on.
    var reachesServers: Bool { cl_model_reaches_servers(raw) }

    deinit {
        nonisolated(unsafe) let raw = raw
        if isVocabularyOnly {
            cl_model_free(raw)
        } else {
            NativeRelease.begin(freed) { cl_model_free(raw) }
        }
    }

    /// Tokens the model was trained on; 0 when the file does not say.
    var trainingContext: Int { Int(info.training_context) }
    var vocabularySize: Int { Int(info.vocabulary_size) }
    var hasDecoder: Bool { info.has_decoder }
    /// Layers that predict further tokens, as the file says.
    var predictionLayerCount: Int { Int(info.prediction_layer_count) }
    var hasVocabulary: Bool { info.has_vocabulary }
    var addsBOS: Bool { info.adds_bos }
    var addsEOS: Bool { info.adds_eos }
    var bosToken: Token? { info.bos_token >= 0 ? info.bos_token : nil }
    var eosToken: Token? { info.eos_token >= 0 ? info.eos_token : nil }

    /// Whether the tokens of another model are the same.
    func sharesVocabulary(with other: NativeModel) -> Bool {
        self === other || cl_model_shares_vocabulary(raw, other.raw)
    }

    /// The embedded chat template called `name`, or the default one.
    func chatTemplate(named name: String? = nil) -> String? {
        let text =
            name.map { name in name.withCString { cl_model_chat_template(raw, $0) } }
            ?? cl_model_chat_template(raw, nil)
        return text.map { String(cString: $0) }
    }
}

/// Carries a progress closure through a C callback.
private final class ProgressObserver {
    let report: (Float) -> Bool

    init(_ report: @escaping (Float) -> Bool) {
        self.report = report
    }
}
