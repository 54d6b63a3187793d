import Foundation

/// Where a user's files lie, from the variables that say so.
struct UserFolders: Sendable {
    let environment: [String: String]

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    /// The home folder; what the system knows stands in for a missing `HOME`.
    var home: String { absolute("HOME") ?? NSHomeDirectory() }

    /// `$XDG_DATA_HOME` when it is absolute, else `~/.local/share`.
    var data: String { absolute("XDG_DATA_HOME") ?? home + "/.local/share" }

    /// The variable's path, with `~` expanded; nil when it is unset or blank.
    func path(_ name: String) -> String? {
        guard let value = environment[name]?.trimmingCharacters(in: .whitespacesAndNewlines), !value.isEmpty else {
            return nil
        }
        if value == "~" { return home }
        return value.hasPrefix("~/") ? home + value.dropFirst() : value
    }

    private func absolute(_ name: String) -> String? {
        guard let value = environment[name], value.hasPrefix("/") else { return nil }
        return value
    }
}
