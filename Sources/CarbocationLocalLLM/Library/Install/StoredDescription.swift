import Foundation

/// The stored description of a model while it is changed.
///
/// Whatever else the file says, known or not, stays.
struct StoredDescription: Sendable {
    /// The file as it was read; nil when there is none.
    let original: [UInt8]?

    private var object: LLMJSONObject

    /// Reads the description of a listed model; one that is missing or describes nothing is made anew.
    init(of model: InstalledModel, in folder: String, calls: any FileCalls) throws(FileFailure) {
        let path = folder + "/" + LibraryLayout.metadataName
        original = try Self.contents(of: path, calls)
        let stored = original.flatMap(MetadataFile.object)
        if let stored, InstalledModel(InstalledModelFields(stored)) != nil {
            object = stored
        } else {
            object = MetadataFile.object(model)
        }
    }

    private static func contents(of path: String, _ calls: any FileCalls) throws(FileFailure) -> [UInt8]? {
        do throws(FileFailure) {
            return try calls.contents(of: path, limit: MetadataFile.maximumBytes).bytes
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The file as it is to be.
    var bytes: [UInt8] { MetadataFile.bytes(object) }

    /// The model that is described.
    var model: InstalledModel? { InstalledModel(InstalledModelFields(object)) }

    mutating func setContextLength(_ contextLength: Int) {
        object["contextLength"] = .int(Int64(contextLength))
    }
}

// MARK: - Projectors

extension StoredDescription {
    /// Whether a projector is listed at a path.
    func listsProjector(at path: String) -> Bool {
        model?.artifacts.contains { Self.isProjector($0, at: path) } ?? false
    }

    /// The places of all files but the projector at a path, those of files whose role is unknown among them.
    func places(besides path: String) -> [String] {
        let entries = object["artifacts"]?.arrayValue ?? []
        let listed = entries.compactMap { entry -> String? in
            let isProjector = InstalledModelArtifact(stored: entry).map { Self.isProjector($0, at: path) } ?? false
            guard !isProjector, case .string(let place)? = entry.objectValue?["relativePath"] else { return nil }
            return place
        }
        return [LibraryLayout.metadataName] + [model?.filename, model?.primaryPath].compactMap(\.self) + listed
    }

    /// Takes the projector at a path out of the list.
    mutating func removeProjector(at path: String) {
        changeArtifacts { entries in
            entries.removeAll { entry in
                InstalledModelArtifact(stored: entry).map { Self.isProjector($0, at: path) } ?? false
            }
        }
    }

    /// Lists a projector before all others, so that it is the one that is found.
    mutating func insertProjector(_ projector: InstalledModelArtifact) {
        changeArtifacts { entries in
            let others = entries.firstIndex { InstalledModelArtifact(stored: $0)?.role == .mmproj }
            entries.insert(.object(MetadataFile.object(projector)), at: others ?? entries.endIndex)
        }
    }

    private static func isProjector(_ artifact: InstalledModelArtifact, at path: String) -> Bool {
        artifact.role == .mmproj && artifact.relativePath == path
    }

    /// Changes the list of files and adds up their sizes.
    ///
    /// A description that does not list its weights gets them listed.
    private mutating func changeArtifacts(_ change: (inout [LLMJSONValue]) -> Void) {
        let before = model
        var entries = object["artifacts"]?.arrayValue ?? []
        if let weights = before?.artifacts.first,
            !entries.contains(where: { InstalledModelArtifact(stored: $0)?.role == .primaryModel })
        {
            entries.insert(.object(MetadataFile.object(weights)), at: 0)
        }
        change(&entries)
        object["artifacts"] = .array(entries)
        let listed = Self.totalSize(entries.compactMap { InstalledModelArtifact(stored: $0) })
        object["sizeBytes"] = .int(listed.addingSaturated(before?.unlistedBytes ?? 0))
    }

    fileprivate static func totalSize(_ artifacts: [InstalledModelArtifact]) -> Int64 {
        artifacts.reduce(0) { $0.addingSaturated($1.sizeBytes) }
    }
}

extension InstalledModel {
    /// What the size of the whole holds for files whose own size is not stated.
    fileprivate var unlistedBytes: Int64 {
        guard artifacts.contains(where: { $0.sizeBytes <= 0 }) else { return 0 }
        return max(0, sizeBytes - StoredDescription.totalSize(artifacts))
    }
}
