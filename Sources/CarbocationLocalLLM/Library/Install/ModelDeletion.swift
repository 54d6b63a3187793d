import Foundation

/// Takes a model out of the library.
///
/// Blocks.
struct ModelDeletion: Sendable {
    let layout: LibraryLayout
    let calls: any FileCalls

    /// Deletes a folder of the root; a missing one is none to delete.
    ///
    /// One rename makes the model disappear whole. Only then its files are removed; those that cannot be removed are
    /// tried again later, out of sight.
    func delete(folder name: String, id: UUID, now: Date) throws(FileFailure) {
        let path = layout.root + "/" + name
        guard let status = try calls.statusIfPresent(of: path, followingLinks: false) else { return }
        guard status.kind == .directory else { return try calls.removeFile(path) }
        let staging = StagingArea(layout: layout, calls: calls)
        try staging.prepare()
        let place = staging.place(for: id, purpose: .deletion)
        do throws(FileFailure) {
            try calls.rename(path, to: place)
        } catch {
            guard error.isMissing else { throw error }
            return
        }
        try? calls.synchronizeDirectory(layout.root)
        do throws(FileFailure) {
            try calls.removeTree(place)
        } catch {
            LLMDiagnostics.record(
                .warning, category: "library",
                "Files of a deleted model could not be removed yet (error \(error.code)).")
        }
        staging.removeAbandoned(now: now)
    }
}
