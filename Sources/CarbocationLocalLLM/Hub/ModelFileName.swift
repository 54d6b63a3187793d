import GGUFFormat

/// What the name of a file says about it.
package enum ModelFileName {
    /// The last component of a path without `.gguf` in any case and without the numbers of a part.
    package static func stem(_ path: String) -> String {
        let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        if let part = GGUFSplitName(name) { return part.prefix }
        return isGGUF(name) ? String(name.dropLast(5)) : name
    }

    /// Whether the name ends in `.gguf`, in any case, and has something before it.
    package static func isGGUF(_ path: String) -> Bool {
        path.utf8.count > 5 && path.suffix(5).lowercased() == ".gguf"
    }

    /// Whether the file accompanies a model instead of being one, by its name.
    package static func isCompanion(_ path: String) -> Bool {
        ProjectorRule.isProjector(path) || path.split(separator: "/").last?.lowercased().contains("imatrix") == true
    }

    /// Whether the file can be a model or a part of one, by its name.
    package static func isModel(_ path: String) -> Bool {
        isGGUF(path) && !isCompanion(path) && !GGUFSplitName.isImpossible(path)
    }
}
