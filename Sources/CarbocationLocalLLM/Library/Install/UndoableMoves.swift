/// Renames of which all can be undone as long as the last is not wanted.
struct UndoableMoves {
    private enum Undo {
        /// Moves a file back, unless something has taken its old place.
        case moving(from: String, to: String)
        /// Puts a file in the place of another.
        case replacing(String, with: String)
    }

    let calls: any FileCalls
    private var undos: [Undo] = []

    init(calls: any FileCalls) { self.calls = calls }

    /// Moves a file or folder to a place where nothing is.
    mutating func move(_ path: String, to destination: String) throws(FileFailure) {
        try calls.rename(path, to: destination)
        undos.append(.moving(from: destination, to: path))
    }

    /// Replaces a file by another; undoing puts the file at `copy` there, which holds what the first did.
    mutating func replace(_ path: String, with other: String, keeping copy: String) throws(FileFailure) {
        try calls.rename(other, to: path)
        undos.append(.replacing(path, with: copy))
    }

    /// Undoes everything, the last first.
    ///
    /// - Returns: Whether all is as it was. What could not be moved back is kept where it is.
    func undo() -> Bool {
        var isUndone = true
        for undo in undos.reversed() {
            do throws(FileFailure) {
                isUndone = try self.undo(undo) && isUndone
            } catch {
                isUndone = false
            }
        }
        return isUndone
    }

    private func undo(_ undo: Undo) throws(FileFailure) -> Bool {
        switch undo {
        case .moving(let place, let source):
            guard try calls.statusIfPresent(of: source, followingLinks: false) == nil else { return false }
            try calls.rename(place, to: source)
        case .replacing(let path, let copy):
            try calls.rename(copy, to: path)
        }
        return true
    }
}
