import Foundation

/// Loads and saves the state of one download.
///
/// For the holder of its lock only.
///
/// Whenever the process may end, the state on disk is one that `load` understands: data comes before the sidecar that
/// lists it, and a sidecar is replaced in one step.
struct PartialStore: Sendable {
    let files: PartialFiles
    let fileSystem: any DownloadFileSystem

    /// What is on disk.
    enum State: Sendable {
        case absent
        /// Data that is not whole, or not known to be.
        case partial(DownloadSidecar, dataSize: Int64)
        /// Verified data under its final name.
        case complete(DownloadSidecar, size: Int64)
    }

    /// Reads the state; what cannot be understood counts as absent.
    func load(source: URL) throws -> State {
        guard let sidecar = try sidecar(), sidecar.url == source else { return .absent }
        if sidecar.complete {
            try finishMove()
            let size = try fileSystem.size(of: files.finished)
            guard let size, sidecar.totalBytes == 0 || size == sidecar.totalBytes else { return .absent }
            return .complete(sidecar, size: size)
        }
        guard let size = try fileSystem.size(of: files.data), size > 0 else { return .absent }
        return .partial(sidecar, dataSize: size)
    }

    /// How much of the file is on disk, and how large it is as far as that is known.
    func present(source: URL) throws -> (bytes: Int64, total: Int64) {
        switch try load(source: source) {
        case .absent: (0, 0)
        case .partial(let sidecar, let size): (sidecar.bytesOnDisk(dataSize: size), sidecar.totalBytes)
        case .complete(_, let size): (size, size)
        }
    }

    func sidecar() throws -> DownloadSidecar? {
        try fileSystem.contents(of: files.sidecar, limit: DownloadSidecar.maximumBytes)
            .flatMap { try? JSONDecoder().decode(DownloadSidecar.self, from: $0) }
    }

    /// Replaces the sidecar in one step.
    func save(_ sidecar: DownloadSidecar) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try fileSystem.write(try encoder.encode(sidecar), to: files.sidecarDraft)
        try fileSystem.move(files.sidecarDraft, to: files.sidecar)
    }

    /// Gives data that is whole, verified and flushed its final name.
    ///
    /// The sidecar goes first: it holds the hash, and what it says is true of the data under either name.
    func complete(_ sidecar: DownloadSidecar) throws {
        var sidecar = sidecar
        sidecar.complete = true
        try save(sidecar)
        try finishMove()
    }

    /// Removes what a transfer has left; the data goes first, because a sidecar alone promises nothing.
    func clear() throws {
        for url in [files.data, files.sidecar, files.sidecarDraft] { try fileSystem.remove(url) }
    }

    /// Removes everything, a finished file included.
    func discard() throws {
        try clear()
        for url in [files.finished, files.handover] { try fileSystem.remove(url) }
    }

    /// Forgets a finished file, which from now on belongs to somebody else.
    func forget() throws {
        for url in [files.sidecar, files.sidecarDraft] { try fileSystem.remove(url) }
    }

    private func finishMove() throws {
        guard try fileSystem.size(of: files.data) != nil else { return }
        try fileSystem.move(files.data, to: files.finished)
        try fileSystem.syncFolder(files.folder)
    }
}
