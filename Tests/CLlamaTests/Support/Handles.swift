import CLlama
import Foundation

/// A status other than `CL_OK` with the reason that came with it.
struct Refusal: Error, CustomStringConvertible {
    var status: cl_status
    var reason: String

    var description: String { "\(status.rawValue): \(reason)" }
}

/// Throws what the last call on this thread failed with.
func check(_ status: cl_status) throws(Refusal) {
    guard status == CL_OK else {
        throw Refusal(status: status, reason: String(cString: cl_last_error()))
    }
}

/// The status that `body` is refused with, or `CL_OK`.
func status(_ body: () throws -> Void) -> cl_status {
    do {
        try body()
        return CL_OK
    } catch {
        return (error as? Refusal)?.status ?? CL_INTERNAL
    }
}

/// The reason that `body` is refused with, or nothing.
func reason(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch {
        return (error as? Refusal)?.reason ?? "\(error)"
    }
}

// The owners' methods keep them alive while C works with the handle; a caller that passes `raw` itself may see its
// owner freed before the call.

/// Owner of one `cl_model`.
final class Model {
    let raw: OpaquePointer

    init(_ url: URL, vocabularyOnly: Bool = false, usesMemoryMap: Bool = true) throws {
        var params = cl_model_params()
        params.vocab_only = vocabularyOnly
        params.use_mmap = usesMemoryMap
        raw = try Model.load(url.path, params)
    }

    static func load(_ path: String, _ params: cl_model_params) throws -> OpaquePointer {
        var loaded: OpaquePointer?
        try withUnsafePointer(to: params) { try check(cl_model_load(path, $0, &loaded)) }
        return loaded!
    }

    var info: cl_model_info {
        var info = cl_model_info()
        cl_model_get_info(raw, &info)
        return info
    }

    var description: String { String(cString: cl_model_description(raw)) }

    func template(_ name: String?) -> String? {
        cl_model_chat_template(raw, name).map { String(cString: $0) }
    }

    deinit {
        cl_model_free(raw)
    }
}

/// Owner of one `cl_context`, computing on one thread.
final class Context {
    let raw: OpaquePointer
    let model: Model

    static func parameters(_ change: (inout cl_context_params) -> Void = { _ in }) -> cl_context_params {
        var params = cl_context_params()
        params.context_size = 256
        params.batch_size = 64
        params.micro_batch_size = 32
        params.maximum_sequences = 2
        params.threads = 1
        params.batch_threads = 1
        change(&params)
        return params
    }

    init(_ model: Model, _ params: cl_context_params = Context.parameters()) throws {
        var created: OpaquePointer?
        try withUnsafePointer(to: params) { try check(cl_context_create(model.raw, $0, &created)) }
        raw = created!
        self.model = model
    }

    func decode(_ entries: [cl_batch_entry]) throws {
        try check(cl_decode(raw, entries, entries.count))
    }

    /// Computes tokens of one sequence behind what is cached, with logits for the last one.
    func append(_ tokens: [Int32], sequence: Int32 = 0) throws {
        let start = last(sequence) + 1
        try decode(
            tokens.enumerated().map { index, token in
                cl_batch_entry(
                    token: token, position: start + Int32(index), sequence: sequence,
                    wants_logits: index + 1 == tokens.count)
            })
    }

    func logprobs(_ index: Int = 0, chosen: Int32, count: Int) throws -> [cl_logprob] {
        var entries = Array(repeating: cl_logprob(), count: count + 1)
        var written = 0
        try check(cl_context_logprobs(raw, Int32(index), chosen, count, &entries, &written))
        return Array(entries[..<written])
    }

    func logits(_ index: Int) -> [Float]? {
        guard let pointer = cl_context_logits(raw, Int32(index)) else { return nil }
        return Array(UnsafeBufferPointer(start: pointer, count: Int(model.info.vocabulary_size)))
    }

    var size: UInt32 { cl_context_size(raw) }
    var keepsState: Bool { cl_context_keeps_state(raw) }

    func first(_ sequence: Int32) -> Int32 { cl_memory_first_position(raw, sequence) }
    func last(_ sequence: Int32) -> Int32 { cl_memory_last_position(raw, sequence) }
    func remove(_ sequence: Int32, from position: Int32) -> Bool { cl_memory_remove(raw, sequence, position) }
    func clear() { cl_memory_clear(raw) }
    func canRemove(_ sequence: Int32, from position: Int32) -> Bool { cl_memory_can_remove(raw, sequence, position) }
    var canCopy: Bool { cl_memory_can_copy(raw) }

    func copy(_ source: Int32, to target: Int32, count: Int32) -> Bool {
        cl_memory_copy(raw, source, target, count)
    }

    func needsCheckpoint(at count: Int32) -> Bool { cl_checkpoint_is_needed(raw, count) }
    func checkpointSize(_ sequence: Int32) -> Int { cl_checkpoint_size(raw, sequence) }

    func checkpoint(_ sequence: Int32, capacity: Int? = nil) -> [UInt8] {
        let size = capacity ?? checkpointSize(sequence)
        return [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, count in
            count = cl_checkpoint_save(raw, sequence, buffer.baseAddress!, size)
        }
    }

    func restore(_ sequence: Int32, _ checkpoint: [UInt8], count: Int32) -> Bool {
        cl_checkpoint_restore(raw, sequence, checkpoint, checkpoint.count, count)
    }

    func copy(_ source: Int32, to target: Int32, _ checkpoint: [UInt8], count: Int32) -> Bool {
        cl_checkpoint_copy(raw, source, target, checkpoint, checkpoint.count, count)
    }

    func requestStop() { cl_context_request_abort(raw) }
    func clearStop() { cl_context_clear_abort(raw) }
    func setDeadline(seconds: Double) { cl_context_set_deadline(raw, seconds) }
    var hasMissedDeadline: Bool { cl_context_missed_deadline(raw) }

    func setThreads(_ threads: Int32, _ batchThreads: Int32) -> cl_status {
        cl_context_set_threads(raw, threads, batchThreads)
    }

    deinit {
        cl_context_free(raw)
    }
}

/// Owner of one `cl_sampler`.
final class Sampler {
    let raw: OpaquePointer
    let model: Model

    /// Greedy without penalties unless changed.
    static func parameters(_ change: (inout cl_sampler_params) -> Void = { _ in }) -> cl_sampler_params {
        var params = cl_sampler_params()
        params.seed = 1
        params.top_p = 1
        params.penalty_window = 16
        params.repetition_penalty = 1
        change(&params)
        return params
    }

    init(_ model: Model, _ params: cl_sampler_params = Sampler.parameters(), grammar: String? = nil) throws {
        var created: OpaquePointer?
        if let grammar {
            try grammar.withCString { text in
                var params = params
                params.grammar = text
                try check(cl_sampler_create(model.raw, &params, &created))
            }
        } else {
            try withUnsafePointer(to: params) { try check(cl_sampler_create(model.raw, $0, &created)) }
        }
        raw = created!
        self.model = model
    }

    var description: String { String(cString: cl_sampler_description(raw)) }

    func beginGrammar(_ text: String) throws {
        try check(cl_sampler_begin_grammar(raw, text, text.utf8.count))
    }

    /// Limits thinking; `closer` is forced unless said otherwise.
    func limitThinking(
        opener: [Int32] = [], closer: [Int32], forced: [Int32]? = nil, tokens: Int32, isCounting: Bool = false
    ) throws {
        try withSpan(opener) { opener in
            try withSpan(closer) { closerSpan in
                try withSpan(forced ?? closer) { forced in
                    var budget = cl_thinking_budget(
                        opener: opener, closer: closerSpan, forced: forced, tokens: tokens, is_counting: isCounting)
                    try check(cl_sampler_limit_thinking(raw, &budget))
                }
            }
        }
    }

    func endThinking(_ forced: [Int32]) -> Bool {
        withSpan(forced) { cl_sampler_end_thinking(raw, $0) }
    }

    var thinkingState: cl_thinking_state { cl_sampler_thinking_state(raw) }

    private func withSpan<Result>(_ tokens: [Int32], _ body: (cl_token_span) throws -> Result) rethrows -> Result {
        try tokens.withUnsafeBufferPointer { try body(cl_token_span(tokens: $0.baseAddress, count: $0.count)) }
    }

    func sample(_ context: Context, index: Int = 0) throws -> Int32 {
        var token: Int32 = -1
        try check(cl_sampler_sample(raw, context.raw, Int32(index), &token))
        return token
    }

    deinit {
        cl_sampler_free(raw)
    }
}
