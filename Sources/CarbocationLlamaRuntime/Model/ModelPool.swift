import CarbocationLocalLLM

/// The weights that are loaded in this process, shared by all engines.
///
/// Holds them weakly: they are freed with their last user.
final class ModelPool: Sendable {
    /// What must be equal for weights to be shared.
    struct Key: Hashable, Sendable {
        var file: FileIdentity
        var gpuLayers: Int32
        var usesMemoryMap: Bool
    }

    private struct Entry {
        weak var model: NativeModel?
    }

    static let shared = ModelPool()

    private let entries = Locked<[Key: Entry]>([:])

    /// The loaded model for `key`, or nil.
    func model(for key: Key) -> NativeModel? {
        entries.withLock { $0[key]?.model }
    }

    /// Remembers a model that was just loaded.
    ///
    /// When another load was faster, its model is returned instead.
    func share(_ model: NativeModel, for key: Key) -> NativeModel {
        entries.withLock { entries in
            if let existing = entries[key]?.model { return existing }
            entries = entries.filter { $0.value.model != nil }
            entries[key] = Entry(model: model)
            return model
        }
    }
}
