import GGUFFormat

/// Chooses the projector that belongs to a model, by the paths of both.
///
/// Candidates are `.gguf` files with `mmproj` in their path, in the model's folder or in one above it. The deepest
/// folder wins, then the precision that is nearest to the model's, then the order of the candidates.
package enum ProjectorRule {
    /// The projector for the model at `primary`.
    ///
    /// - Parameters:
    ///   - primary: The path of the model, relative to the folder that holds all of them.
    ///   - paths: The paths to choose from, others than projectors included, relative to the same folder.
    /// - Returns: One of `paths`, or nil when none is a projector for this model.
    package static func projector(for primary: String, among paths: some Sequence<String>) -> String? {
        let folder = folder(of: primary)
        let wanted = bits(primary)
        var best: (path: String, depth: Int, distance: Int)?
        for path in paths where isProjector(path) && path != primary {
            let candidate = self.folder(of: path)
            guard candidate.count <= folder.count, folder.starts(with: candidate) else { continue }
            let distance = abs(bits(path) - wanted)
            if let best, (-best.depth, best.distance) <= (-candidate.count, distance) { continue }
            best = (path, candidate.count, distance)
        }
        return best?.path
    }

    /// Whether a file is a projector by its path.
    package static func isProjector(_ path: String) -> Bool {
        let path = path.lowercased()
        return path.hasSuffix(".gguf") && path.contains("mmproj")
    }

    /// The bits of a weight as the last tag of the file name says, 0 without a number.
    package static func bits(_ path: String) -> Int {
        let stem = ModelFileName.stem(path)
        let tag = stem.split { $0 == "-" || $0 == "." }.last ?? ""
        let digits = tag.drop { !isDigit($0) }.prefix(while: isDigit)
        return Int(digits.prefix(9)) ?? 0
    }

    private static func folder(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
