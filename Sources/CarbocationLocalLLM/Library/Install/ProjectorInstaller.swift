import Foundation

/// Adds a projector to a model that is installed already: its file and its place in the description, or neither.
///
/// Blocks.
struct ProjectorInstaller: Sendable {
    let layout: LibraryLayout
    let calls: any FileCalls

    /// Installs `projector`, whose role does not count, and returns the model with it.
    ///
    /// `checkpoint` runs between pieces of work and may throw to stop. Whatever ends it early, a file that was to be
    /// moved is where it was, and so is a projector that was to be replaced.
    func install(
        _ projector: ModelLibraryInstallArtifact, into model: InstalledModel, checkpoint: () throws -> Void = {}
    ) throws -> InstalledModel {
        var projector = projector
        projector.role = .mmproj
        guard RepositoryPath(projector.relativePath) != nil else {
            throw ModelLibraryError.unsafeArtifactPath(projector.relativePath)
        }
        let item = try InstallPlan.Item(projector, calls: calls)
        let folder = layout.folder(of: model.id)
        guard calls.isDirectory(folder) else { throw ModelLibraryError.missingPrimaryArtifact }
        let staging = StagingArea(layout: layout, calls: calls)
        try staging.prepare()
        var transaction = ProjectorTransaction(
            calls: calls, folder: folder, staging: staging.place(for: model.id, purpose: .projector))
        let changed: InstalledModel
        do {
            try transaction.copy(item, checkpoint: checkpoint)
            let change = try change(of: model, by: item)
            do {
                try transaction.write(change.descriptions)
            } catch {
                throw ModelLibraryError.metadataWriteFailed(model.displayName)
            }
            try checkpoint()
            try transaction.place(item, change.descriptions, checkpoint: checkpoint)
            try transaction.commit()
            changed = change.model
        } catch {
            transaction.rollBack()
            throw error
        }
        transaction.finish()
        return changed
    }

    private func change(
        of model: InstalledModel, by item: InstallPlan.Item
    ) throws -> (model: InstalledModel, descriptions: ProjectorTransaction.Descriptions) {
        let path = item.artifact.relativePath
        guard let stored = try? StoredDescription(of: model, in: layout.folder(of: model.id), calls: calls),
            let before = stored.model
        else { throw ModelLibraryError.metadataWriteFailed(model.displayName) }
        try checkPlace(path, in: stored, of: model.id)
        var between = stored
        between.removeProjector(at: path)
        var after = between
        after.insertProjector(item.installed)
        // A folder without a description is only as good as the files in it, of which there will be one more.
        let isUnlistedFirst = stored.original == nil || stored.listsProjector(at: path)
        return (
            after.model ?? before,
            ProjectorTransaction.Descriptions(
                after: after.bytes, between: isUnlistedFirst ? between.bytes : nil, before: stored.original)
        )
    }

    /// The place must be the projector's own, even where upper and lower case are the same.
    private func checkPlace(_ path: String, in description: StoredDescription, of id: UUID) throws {
        let isTaken = description.places(besides: path).contains { $0.lowercased() == path.lowercased() }
        guard !isTaken else { throw ModelLibraryError.unsafeArtifactPath(path) }
        let place = layout.folder(of: id) + "/" + path
        guard !calls.isDirectory(place) else {
            throw ModelLibraryError.destinationExists(URL(fileURLWithPath: place, isDirectory: true))
        }
    }
}
