import Foundation

/// Changes the stored description of a model.
///
/// Blocks.
struct MetadataUpdate: Sendable {
    let layout: LibraryLayout
    let calls: any FileCalls

    /// Stores another training context; everything else that the file says stays, known or not.
    ///
    /// The file is replaced by one rename. A model that was deleted meanwhile does not come back.
    func setContextLength(_ contextLength: Int, of model: InstalledModel) throws {
        let folder = layout.folder(of: model.id)
        do {
            var description = try StoredDescription(of: model, in: folder, calls: calls)
            description.setContextLength(contextLength)
            try replace(folder + "/" + LibraryLayout.metadataName, with: description.bytes, id: model.id)
        } catch {
            throw ModelLibraryError.metadataWriteFailed(model.displayName)
        }
    }

    private func replace(_ path: String, with bytes: [UInt8], id: UUID) throws(FileFailure) {
        let staging = StagingArea(layout: layout, calls: calls)
        try staging.prepare()
        let place = staging.place(for: id, purpose: .metadata)
        do throws(FileFailure) {
            try calls.writeFile(place, bytes)
            try calls.rename(place, to: path)
        } catch {
            try? calls.removeFile(place)
            throw error
        }
        try? calls.synchronizeDirectory(layout.folder(of: id))
    }
}
