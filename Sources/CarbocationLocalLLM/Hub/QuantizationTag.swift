/// A quantisation as a person asks for it, matched against the paths of files.
package struct QuantizationTag: Sendable, Hashable {
    /// The tag in upper case.
    package let name: String

    /// Creates a tag; letter case does not matter.
    package init(_ name: String) {
        self.name = name.uppercased()
    }

    /// How well a path carries the tag.
    package enum Match: Sendable, Hashable {
        /// The tag stands by itself.
        case exact
        /// The tag is part of a longer one, such as `UD-Q4_K_XL`.
        case prefixed
    }

    /// How the path carries the tag, or nil when it does not.
    ///
    /// The tag must stand between the start or one of `/-._` on its left and one of `-./` on its right.
    package func match(in path: String) -> Match? {
        let path = Array(path.uppercased().utf8)
        let tag = Array(name.utf8)
        guard !tag.isEmpty, path.count > tag.count else { return nil }
        var found: Match?
        for start in 0..<(path.count - tag.count) {
            let end = start + tag.count
            guard path[start] == tag[0], path[start..<end].elementsEqual(tag), "-./".utf8.contains(path[end]),
                start == 0 || "/-._".utf8.contains(path[start - 1])
            else { continue }
            guard path[..<start].suffix(3).elementsEqual("UD-".utf8) else { return .exact }
            found = .prefixed
        }
        return found
    }

    /// The first group that carries the tag by itself, else the first that carries it at all.
    package func choose(from groups: [ModelFileGroup]) -> ModelFileGroup? {
        groups.first { match(in: $0.primary) == .exact } ?? groups.first { match(in: $0.primary) != nil }
    }
}
