import CarbocationLocalLLM
import Foundation

/// The weights that are loaded in this process, shared by all engines.
///
/// Holds them weakly: they are freed with their last user.
// `@unchecked` because `NSCondition` is thread-safe without being declared so, and the state has its own lock.
final class ModelPool: @unchecked Sendable {
    /// What must be equal for weights to be shared.
    struct Key: Hashable, Sendable {
        var files: [FileIdentity]
        var gpuLayers: Int32
        var usesMemoryMap: Bool
    }

    private struct Entry {
        weak var model: NativeModel?
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var loading: Set<Key> = []
    }

    static let shared = ModelPool()

    // A condition, because loads block threads of their own anyway, and the second one waits for the first.
    private let condition = NSCondition()
    private let state = Locked(State())

    /// The loaded model for `key`, or nil.
    func model(for key: Key) -> NativeModel? {
        state.withLock { $0.entries[key]?.model }
    }

    /// The model for `key`, loaded by `load` unless it is there or another thread is loading it.
    ///
    /// Blocks. Throws what `load` throws, and `CancellationError` soon after `signal` is set.
    func model(for key: Key, signal: CancellationSignal, load: () throws -> NativeModel) throws -> NativeModel {
        if let model = try waitForTurn(key, signal: signal) { return model }
        defer { endTurn(key) }
        let model = try load()
        state.withLock { state in
            state.entries = state.entries.filter { $0.value.model != nil }
            state.entries[key] = Entry(model: model)
        }
        return model
    }

    /// Waits while another thread loads `key`; nil means that it is this thread's turn.
    private func waitForTurn(_ key: Key, signal: CancellationSignal) throws -> NativeModel? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            try signal.check()
            let (model, isMyTurn) = state.withLock { state -> (NativeModel?, Bool) in
                if let model = state.entries[key]?.model { return (model, false) }
                return (nil, state.loading.insert(key).inserted)
            }
            if model != nil || isMyTurn { return model }
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
        }
    }

    private func endTurn(_ key: Key) {
        condition.lock()
        state.withLock { _ = $0.loading.remove(key) }
        condition.broadcast()
        condition.unlock()
    }
}
