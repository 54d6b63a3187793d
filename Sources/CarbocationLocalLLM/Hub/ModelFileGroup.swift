import GGUFFormat

/// The files of one model in a listing: a plain file, or the parts of a split.
package struct ModelFileGroup: Sendable, Hashable {
    /// The path of the file that a runtime opens, whether or not it is there.
    package let primary: String

    /// The group of any one of its files.
    package init(containing path: String) {
        primary = GGUFSplitName(path)?.part(1) ?? path
    }

    /// The paths of all parts, in order, whether or not they are there.
    ///
    /// A name may announce up to 99,999 parts, so this is worth asking only for the model that was chosen.
    package var parts: [String] { GGUFSplitName(primary)?.allParts ?? [primary] }

    /// Groups the model files among `paths`; companions and impossible parts are left out.
    ///
    /// - Parameter paths: The paths of a whole repository or folder, relative to it, in any order.
    /// - Returns: One group for each model, sorted by path.
    package static func groups(of paths: some Sequence<String>) -> [ModelFileGroup] {
        Set(paths.lazy.filter(ModelFileName.isModel).map(Self.init(containing:)))
            .sorted { $0.primary.utf8.lexicographicallyPrecedes($1.primary.utf8) }
    }
}
