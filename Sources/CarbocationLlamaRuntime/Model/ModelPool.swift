import CarbocationLocalLLM
import Foundation

/// The weights that are loaded in this process, shared by all engines.
///
/// Holds them weakly: they are freed with their last user.
// `@unchecked` because `entries` and `loading` are only touched under `condition`.
final class ModelPool: @unchecked Sendable {
    /// What must be equal for weights to be shared.
    struct Key: Hashable, Sendable {
        var files: [FileIdentity]
        var gpuLayers: Int32
        var usesMemoryMap: Bool
        /// Whether layers that predict further tokens are loaded too.
        var predicts = false
        /// llama.cpp keeps adapters with the weights, and counts on having them all before it computes.
        var adapters: [FileIdentity] = []
        /// In the order in which layers are placed on them.
        var servers: [RPCServerAddress] = []
    }

    private struct Entry {
        weak var model: NativeModel?
        var facts: ModelFile.Facts?
    }

    static let shared = ModelPool()

    // A condition, because loads block threads of their own anyway, and the second one waits for the first.
    private let condition = NSCondition()
    private var entries: [Key: Entry] = [:]
    private var loading: Set<Key> = []

    /// The loaded model for `key`, or nil.
    func model(for key: Key) -> NativeModel? {
        condition.lock()
        defer { condition.unlock() }
        return usable(key)
    }

    /// What a check of these files found, while weights that came of it are in use.
    func facts(of files: [FileIdentity]) -> ModelFile.Facts? {
        condition.lock()
        defer { condition.unlock() }
        return entries.first { $0.key.files == files && $0.value.model != nil }?.value.facts
    }

    /// The model for `key`, loaded by `load` unless it is there or another thread is loading it.
    ///
    /// Blocks. Throws what `load` throws, and `CancellationError` soon after `signal` is set.
    func model(
        for key: Key, facts: ModelFile.Facts? = nil, signal: CancellationSignal, load: () throws -> NativeModel
    ) throws -> NativeModel {
        if let model = try waitForTurn(key, signal: signal) { return model }
        let result = Result { try load() }
        endTurn(key, loaded: (try? result.get()).map { Entry(model: $0, facts: facts) })
        return try result.get()
    }

    /// Waits while another thread loads `key`; nil means that it is this thread's turn.
    private func waitForTurn(_ key: Key, signal: CancellationSignal) throws -> NativeModel? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            try signal.check()
            if let model = usable(key) { return model }
            if loading.insert(key).inserted { return nil }
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
        }
    }

    /// Weights of which a part is lost wait only for their users to let go of them.
    private func usable(_ key: Key) -> NativeModel? {
        guard let model = entries[key]?.model, model.reachesServers else { return nil }
        return model
    }

    private func endTurn(_ key: Key, loaded entry: Entry?) {
        condition.lock()
        defer { condition.unlock() }
        loading.remove(key)
        entries = entries.filter { $0.value.model != nil }
        if let entry { entries[key] = entry }
        condition.broadcast()
    }
}
