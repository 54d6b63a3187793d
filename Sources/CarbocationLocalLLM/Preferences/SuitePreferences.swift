import Foundation

/// A suite of preferences that several processes read and change.
///
/// Foundation keeps a copy of each suite in memory. Here it is read afresh every time, and a change is one step: nothing
/// of what others change meanwhile is lost.
struct SuitePreferences: Sendable {
    /// The name of the suite; nil for the app's own preferences.
    let suiteName: String?
    /// The file whose lock keeps other processes from changing the suite; nil for none.
    let lockFile: URL?
    /// How long to wait for that lock.
    var patience = Duration.seconds(5)

    // Both are for all suites: changes are rare, and two names may stand for the same suite.
    /// The turn of one change in this process, held while waiting for other processes.
    private static let turn = Locked(0)
    /// Exclusive use of Foundation's copies, held for moments only, and the suites that could not be written last time.
    private static let access = Locked(Set<String?>())

    /// Reads from the suite as it is now.
    func read<Result>(_ body: (UserDefaults) -> Result) -> Result {
        Self.access.withLock { _ in
            let defaults = open()
            defaults.synchronize()
            return body(defaults)
        }
    }

    /// Changes the suite, alone among all threads and, as far as the system lets it, all processes.
    ///
    /// Where files cannot be locked, or another process holds the lock for longer than ``patience``, the change is made
    /// without: a change of the other process at the same moment may then be lost, while giving up would surely lose
    /// this one.
    ///
    /// - Parameter body: Reads and sets values; its error leaves the suite as `body` left it.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` throws; ``PreferencesFailure`` when the suite cannot be written.
    func update<Result>(_ body: (UserDefaults) throws -> Result) throws -> Result {
        try Self.turn.withLock { _ in
            let lock = acquireFileLock()
            defer { lock?.release() }
            return try Self.access.withLock { failedSuites in
                let defaults = open()
                // Foundation may write all the suites of the process at once and tell of any that failed.
                let hidesFailures = !defaults.synchronize() && !failedSuites.contains(suiteName)
                let result = try body(defaults)
                guard defaults.synchronize() || hidesFailures else {
                    failedSuites.insert(suiteName)
                    throw PreferencesFailure(suiteName: suiteName)
                }
                failedSuites.remove(suiteName)
                return result
            }
        }
    }

    private func open() -> UserDefaults {
        guard let suiteName, !suiteName.isEmpty else { return .standard }
        // There is none for the app's own identifier, whose preferences are the standard ones.
        return UserDefaults(suiteName: suiteName) ?? .standard
    }

    private func acquireFileLock() -> (any FileLock)? {
        guard let lockFile else { return nil }
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        do {
            try LocalFileSystem().createFolder(lockFile.deletingLastPathComponent())
            while true {
                switch try LocalFileLock.attempt(lockFile) {
                case .acquired(let lock): return lock
                case .unsupported: return nil
                case .busy where clock.now >= deadline: return nil
                // Others hold it for the time of one small write.
                case .busy: Thread.sleep(forTimeInterval: 0.001)
                }
            }
        } catch {
            return nil
        }
    }
}

/// Preferences that could not be written.
struct PreferencesFailure: Error, LocalizedError, Sendable, Hashable {
    /// The name of the suite; nil for the app's own preferences.
    var suiteName: String?

    var errorDescription: String? {
        "The preferences\(suiteName.map { " \($0)" } ?? "") could not be written. "
            + "Check that this app may write there, and that there is disk space."
    }
}
