import Foundation

/// A suite of preferences of its own that is removed with this object.
final class ScratchPreferences {
    let name = "scratch-\(UUID().uuidString)"
    let defaults: UserDefaults

    init() {
        defaults = UserDefaults(suiteName: name) ?? .standard
    }

    deinit {
        defaults.removePersistentDomain(forName: name)
        defaults.synchronize()
    }

    /// Stores a value, or removes what is there.
    func set(_ value: (any Sendable)?, _ key: String) {
        if let value { defaults.set(value, forKey: key) } else { defaults.removeObject(forKey: key) }
    }
}
