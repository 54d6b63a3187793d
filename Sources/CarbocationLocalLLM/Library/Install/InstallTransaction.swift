import Foundation

/// The steps of one install, in an order that can be undone until the last.
///
/// Copies and the description come first. Files that are moved follow, when little can still go wrong, so that a
/// process that ends in between does not leave them in the staging folder.
struct InstallTransaction {
    let calls: any FileCalls
    let staging: String

    private var folders: [String]
    private var moves: UndoableMoves
    /// Files that had to be copied to another volume and go once the model is visible.
    private var copiedAcross: [String] = []

    init(calls: any FileCalls, staging: String) {
        self.calls = calls
        self.staging = staging
        folders = [staging]
        moves = UndoableMoves(calls: calls)
    }

    mutating func fill(with plan: InstallPlan, model: InstalledModel, checkpoint: () throws -> Void) throws {
        try calls.createDirectory(staging)
        for item in plan.items {
            try createFolders(of: item.artifact.relativePath)
            if !item.isMoved { try copy(item, checkpoint) }
        }
        do {
            try calls.writeFile(staging + "/" + LibraryLayout.metadataName, MetadataFile.bytes(model))
        } catch {
            throw ModelLibraryError.metadataWriteFailed(model.displayName)
        }
        for item in plan.items where item.isMoved { try calls.synchronizeFile(item.source) }
        try checkpoint()
        for item in plan.items where item.isMoved { try move(item, checkpoint) }
        for folder in folders.reversed() { try calls.synchronizeDirectory(folder) }
    }

    /// Makes the model visible.
    func commit(to folder: String) throws(FileFailure) {
        try calls.rename(staging, to: folder)
    }

    /// Undoes all steps.
    ///
    /// Files that cannot be moved back are kept where they are.
    func rollBack() {
        if moves.undo() { try? calls.removeTree(staging) }
    }

    /// What remains to be done for a model that is visible; failures do no harm to it.
    func finish(root: String) {
        try? calls.synchronizeDirectory(root)
        for source in copiedAcross { try? calls.removeFile(source) }
    }

    private mutating func createFolders(of relativePath: String) throws(FileFailure) {
        for path in try calls.ensureFolders(of: relativePath, in: staging) where !folders.contains(path) {
            folders.append(path)
        }
    }

    private func copy(_ item: InstallPlan.Item, _ checkpoint: () throws -> Void) throws {
        try calls.copyFile(
            item.source, to: staging + "/" + item.artifact.relativePath, checkpoint: checkpoint)
    }

    private mutating func move(_ item: InstallPlan.Item, _ checkpoint: () throws -> Void) throws {
        let place = staging + "/" + item.artifact.relativePath
        do throws(FileFailure) {
            try moves.move(item.source, to: place)
        } catch {
            guard error.isOtherVolume else { throw error }
            try copy(item, checkpoint)
            copiedAcross.append(item.source)
        }
    }
}
