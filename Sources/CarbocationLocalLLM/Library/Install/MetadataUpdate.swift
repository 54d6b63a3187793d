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
        let path = layout.folder(of: model.id) + "/" + LibraryLayout.metadataName
        do {
            let stored = try contents(of: path)
            let bytes: [UInt8]
            if var object = stored.flatMap(MetadataFile.object) {
                object["contextLength"] = .int(Int64(contextLength))
                bytes = MetadataFile.bytes(object)
            } else {
                var model = model
                model.contextLength = contextLength
                bytes = MetadataFile.bytes(model)
            }
            try replace(path, with: bytes, id: model.id)
        } catch {
            throw ModelLibraryError.metadataWriteFailed(model.displayName)
        }
    }

    private func contents(of path: String) throws(FileFailure) -> [UInt8]? {
        do throws(FileFailure) {
            return try calls.contents(of: path, limit: MetadataFile.maximumBytes).bytes
        } catch {
            guard error.isMissing else { throw error }
            return nil
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
