import CLlama
import CarbocationLocalLLM

/// A model or settings that no size of a context works with, and what to change.
struct UnsupportedContext: Error {
    var reason: String
}

/// Sole owner of one llama.cpp context: KV cache and compute buffers.
// `@unchecked` because only the inference thread uses it; `requestAbort` and `setWanted` alone are called from elsewhere,
// and are thread-safe by their C contract.
final class NativeContext: DecodingContext, @unchecked Sendable {
    let raw: OpaquePointer
    /// Keeps the weights alive that the context computes with.
    let model: NativeModel
    let batchSize: Int
    let microBatchSize: Int
    /// Set once the memory is freed.
    let freed = OneShot<Void>()
    /// Whether the model's prediction layers are in use.
    let predictsTokens: Bool
    private var entries: [cl_batch_entry] = []
    private let failed = Locked(false)
    private var threads: Int

    /// Creates a context with exactly these sizes.
    ///
    /// Throws ``LLMEngineError/contextInitFailed(_:)`` when a smaller one may work, ``UnsupportedContext`` when none
    /// would, and ``LLMEngineError/modelLoadFailed(_:)`` for adapters and servers. `signal` ends waiting for servers;
    /// `opened` is told before anything else can fail.
    init(
        model: NativeModel, settings: ContextSettings, opened: OpenedMemory = OpenedMemory(),
        signal: CancellationSignal = CancellationSignal()
    ) throws {
        var params = cl_context_params(settings)
        params.wants_stop = CancellationSignal.isSetCallback
        params.stop_context = signal.callbackContext
        var created: OpaquePointer?
        try withExtendedLifetime(signal) {
            try Self.requireContext(cl_context_create(model.raw, &params, &created))
        }
        guard let created else { throw LLMEngineError.contextInitFailed("llama.cpp returned no context.") }
        raw = created
        self.model = model
        batchSize = settings.batchSize
        microBatchSize = settings.microBatchSize
        threads = settings.threads
        predictsTokens = settings.predictionTokens > 0
        opened.note(context: freed)
        guard !settings.adapterScales.isEmpty else { return }
        try check(cl_context_set_adapters(raw, settings.adapterScales, settings.adapterScales.count)) { reason in
            .modelLoadFailed(
                "The model cannot be computed with its adapters: \(reason). Choose adapters made for this model.")
        }
    }

    static func requireContext(_ status: cl_status) throws {
        switch status {
        case CL_CONTEXT_UNSUPPORTED: throw UnsupportedContext(reason: NativeFailure(status).reason)
        // Whoever tries smaller ones says what else to do.
        case CL_OUT_OF_MEMORY: throw LLMEngineError.contextInitFailed("The system has no memory left for it.")
        default: try check(status) { .contextInitFailed($0) }
        }
    }

    /// Whether a decode failed for another reason than a full cache or an abort.
    ///
    /// From any thread.
    var hasFailed: Bool { failed.withLock { $0 } }

    deinit {
        nonisolated(unsafe) let raw = raw
        NativeRelease.begin(freed, keeping: model) { cl_context_free(raw) }
    }

    var cellCount: Int { Int(cl_context_size(raw)) }

    func decode(_ batch: [BatchEntry]) -> DecodeOutcome {
        entries.removeAll(keepingCapacity: true)
        for entry in batch {
            entries.append(
                cl_batch_entry(
                    token: entry.token, position: Int32(entry.position), sequence: entry.sequence,
                    wants_logits: entry.wantsLogits))
        }
        let status = cl_decode(raw, entries, entries.count)
        switch status {
        case CL_OK: return .decoded
        case CL_CONTEXT_FULL: return .full
        case CL_CANCELLED: return .aborted
        default:
            let reason = NativeFailure(status).reason
            failed.withLock { $0 = true }
            return .failed(reason)
        }
    }

    /// How likely `token` and the `count` likeliest tokens were behind batch entry `row` of the last decode.
    func logprobs(row: Int, chosen token: Token, count: Int) throws -> LLMTokenLogprobs {
        var entries = [cl_logprob](repeating: cl_logprob(), count: count + 1)
        var written = 0
        try check(cl_context_logprobs(raw, Int32(row), token, count, &entries, &written)) { .decodeFailed($0) }
        let candidates = entries[..<written].map { entry in
            let bytes = model.withBytes(of: entry.token, rendersSpecial: true) { Array($0) }
            return LLMTokenLogprobs.Candidate(
                token: entry.token, text: String(decoding: bytes, as: UTF8.self), bytes: bytes, logprob: entry.logprob)
        }
        return LLMTokenLogprobs(chosen: candidates[0], top: Array(candidates.dropFirst()))
    }

    func removeSuffix(of sequence: Int32, from position: Int) -> Bool {
        cl_memory_remove(raw, sequence, Int32(position))
    }

    /// Whether tokens can be computed and dropped again.
    var dropsSuffixes: Bool { predictsTokens || !cl_context_keeps_state(raw) }

    /// Computes with the threads of another context from now on, with which it takes turns.
    func shareThreads(with other: NativeContext) {
        cl_context_share_threads(raw, other.raw)
    }

    /// At most `count` tokens that the model's prediction layers expect behind `token`.
    func predict(after token: Token, at position: Int, in sequence: Int32, count: Int) -> [Token] {
        [Token](unsafeUninitializedCapacity: count) { buffer, written in
            written =
                buffer.baseAddress.map {
                    cl_context_predict(raw, sequence, token, Int32(position), $0, count)
                } ?? 0
        }
    }

    func setPredicting(_ isOn: Bool) {
        cl_context_set_predicting(raw, isOn)
    }

    /// Tells the prediction layers that so many tokens of their last draft stayed.
    func acceptPredictions(_ count: Int, in sequence: Int32) {
        cl_context_accept(raw, sequence, count)
    }

    var copiesPrefixes: Bool { cl_memory_can_copy(raw) }

    func canRemoveSuffix(of sequence: Int32, from position: Int) -> Bool {
        cl_memory_can_remove(raw, sequence, Int32(position))
    }

    func copyPrefix(of source: Int32, to target: Int32, count: Int) -> Bool {
        cl_memory_copy(raw, source, target, Int32(count))
    }

    func needsCheckpoint(at count: Int) -> Bool {
        cl_checkpoint_is_needed(raw, Int32(count))
    }

    func saveCheckpoint(of sequence: Int32, limit: Int) -> [UInt8]? {
        let size = cl_checkpoint_size(raw, sequence)
        guard size > 0, size <= limit else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = buffer.baseAddress.map { cl_checkpoint_save(raw, sequence, $0, size) } ?? 0
        }
        return bytes.isEmpty ? nil : bytes
    }

    func restoreCheckpoint(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool {
        bytes.withUnsafeBytes { buffer in
            guard let address = buffer.baseAddress else { return false }
            return cl_checkpoint_restore(raw, sequence, address, buffer.count, Int32(count))
        }
    }

    func copyCheckpoint(_ bytes: [UInt8], of source: Int32, to target: Int32, count: Int) -> Bool {
        bytes.withUnsafeBytes { buffer in
            guard let address = buffer.baseAddress else { return false }
            return cl_checkpoint_copy(raw, source, target, address, buffer.count, Int32(count))
        }
    }

    func requestAbort() {
        cl_context_request_abort(raw)
    }

    func setWanted(_ isWanted: Bool) {
        cl_context_set_wanted(raw, isWanted)
    }

    func clearAbort() {
        cl_context_clear_abort(raw)
    }

    func setDeadline(_ seconds: Double?) {
        cl_context_set_deadline(raw, seconds ?? 0)
    }

    var missedDeadline: Bool { cl_context_missed_deadline(raw) }

    func setThreads(_ count: Int) {
        let count = min(max(1, count), ContextSettings.largestThreadCount)
        guard count != threads, cl_context_set_threads(raw, Int32(count), Int32(count)) == CL_OK else { return }
        threads = count
    }
}

extension NativeContext: DraftingContext {
    func likeliest(row: Int) -> (token: Token, probability: Double)? {
        var token: Token = -1
        var probability = 0.0
        guard cl_context_likeliest(raw, Int32(row), &token, &probability) else { return nil }
        return (token, probability)
    }

    func endsGeneration(_ token: Token) -> Bool {
        model.endsGeneration(token)
    }
}
