/// The steps that add a projector to an installed model, in an order that can be undone until the last.
///
/// Wherever the process ends, the description lists only files that are there: the projector is listed when it is in
/// its place, and one that it replaces is not listed any more when it goes.
struct ProjectorTransaction {
    /// What the description says, from step to step.
    struct Descriptions {
        /// With the new projector.
        var after: [UInt8]
        /// Without any projector in its place; nil when that is what is stored.
        var between: [UInt8]?
        /// What is stored; nil when nothing is.
        var before: [UInt8]?
    }

    let calls: any FileCalls
    /// The model's folder.
    let folder: String
    let staging: String

    private var moves: UndoableMoves
    private var subfolders: [String] = []
    /// The source when it had to be copied from another volume; it goes once the projector is there.
    private var copiedAcross: String?

    init(calls: any FileCalls, folder: String, staging: String) {
        self.calls = calls
        self.folder = folder
        self.staging = staging
        moves = UndoableMoves(calls: calls)
    }

    private var staged: String { staging + "/projector" }
    private var description: String { folder + "/" + LibraryLayout.metadataName }

    /// Creates the staging folder, with a copy of the projector unless that is to be moved.
    func copy(_ item: InstallPlan.Item, checkpoint: () throws -> Void) throws {
        try calls.createDirectory(staging)
        if item.isMoved {
            try calls.synchronizeFile(item.source)
        } else {
            try calls.copyFile(item.source, to: staged, checkpoint: checkpoint)
        }
    }

    /// Writes what will be needed of the descriptions, so that from then on only names change.
    func write(_ descriptions: Descriptions) throws(FileFailure) {
        try calls.writeFile(staging + "/after.json", descriptions.after)
        guard let between = descriptions.between else { return }
        try calls.writeFile(staging + "/between.json", between)
        if let before = descriptions.before { try calls.writeFile(staging + "/before.json", before) }
    }

    /// Puts the projector in its place.
    mutating func place(
        _ item: InstallPlan.Item, _ descriptions: Descriptions, checkpoint: () throws -> Void
    ) throws {
        let place = folder + "/" + item.artifact.relativePath
        if item.isMoved { try stage(item, checkpoint) }
        subfolders = try calls.ensureFolders(of: item.artifact.relativePath, in: folder)
        try unlist(descriptions)
        if try calls.statusIfPresent(of: place, followingLinks: false) != nil {
            try moves.move(place, to: staging + "/replaced")
        }
        try moves.move(staged, to: place)
        for folder in subfolders.reversed() { try calls.synchronizeDirectory(folder) }
        try calls.synchronizeDirectory(folder)
    }

    /// Makes the projector visible.
    func commit() throws(FileFailure) {
        try calls.rename(staging + "/after.json", to: description)
    }

    /// Undoes all steps.
    ///
    /// Files that cannot be moved back are kept where they are.
    func rollBack() {
        let isUndone = moves.undo()
        // Those that hold anything else stay.
        for folder in subfolders.reversed() { try? calls.removeDirectory(folder) }
        if isUndone { try? calls.removeTree(staging) }
    }

    /// What remains to be done once the projector is visible; failures do no harm to it.
    func finish() {
        try? calls.synchronizeDirectory(folder)
        try? calls.removeTree(staging)
        if let copiedAcross { try? calls.removeFile(copiedAcross) }
    }

    private mutating func stage(_ item: InstallPlan.Item, _ checkpoint: () throws -> Void) throws {
        do throws(FileFailure) {
            try moves.move(item.source, to: staged)
        } catch {
            guard error.isOtherVolume else { throw error }
            try calls.copyFile(item.source, to: staged, checkpoint: checkpoint)
            copiedAcross = item.source
        }
    }

    /// Takes a projector that is about to be replaced out of the description.
    private mutating func unlist(_ descriptions: Descriptions) throws(FileFailure) {
        guard descriptions.between != nil else { return }
        let between = staging + "/between.json"
        if descriptions.before == nil {
            try moves.move(between, to: description)
        } else {
            try moves.replace(description, with: between, keeping: staging + "/before.json")
        }
        try calls.synchronizeDirectory(folder)
    }
}
