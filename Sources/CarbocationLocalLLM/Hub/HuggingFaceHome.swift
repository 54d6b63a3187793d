package import Foundation

/// The folder in which the Hub's own tools keep their state.
package enum HuggingFaceHome {
    /// `$HF_HOME`, else `$XDG_CACHE_HOME/huggingface`, else `~/.cache/huggingface`; blank counts as unset.
    package static func directory(environment: [String: String]) -> URL {
        if let home = folder("HF_HOME", in: environment) { return home }
        let cache = folder("XDG_CACHE_HOME", in: environment) ?? userHome(environment).appendingPathComponent(".cache")
        return cache.appendingPathComponent("huggingface")
    }

    /// The folder that a variable names, with `~` expanded.
    package static func folder(_ variable: String, in environment: [String: String]) -> URL? {
        let path = environment[variable]?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !path.isEmpty else { return nil }
        guard path == "~" || path.hasPrefix("~/") else { return URL(fileURLWithPath: path) }
        return userHome(environment).appendingPathComponent(String(path.dropFirst(2)))
    }

    /// `$HOME`, else the home folder that the system knows.
    package static func userHome(_ environment: [String: String]) -> URL {
        let home = environment["HOME"] ?? ""
        return home.hasPrefix("/")
            ? URL(fileURLWithPath: home, isDirectory: true) : URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    }
}
