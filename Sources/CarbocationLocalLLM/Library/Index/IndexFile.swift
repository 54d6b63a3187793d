import Foundation

/// The index on disk: read once, replaced whole.
struct IndexFile: Sendable {
    /// Enough for more than a hundred thousand models.
    static let maximumBytes = 64 << 20

    /// A file that was begun this long ago belongs to a process that ended.
    private static let abandonedAfter: TimeInterval = 3600

    let layout: LibraryLayout
    let calls: any FileCalls

    /// What earlier processes found; empty when there is no usable index.
    func read() -> LibraryIndex {
        guard let bytes = try? calls.contents(of: layout.index, limit: Self.maximumBytes).bytes else {
            return LibraryIndex()
        }
        return LibraryIndex(bytes: bytes) ?? LibraryIndex()
    }

    /// Replaces the file.
    ///
    /// Nothing is lost when that fails, so failures are not reported. The bytes are not flushed: the checksum tells a
    /// file that a power failure left half written.
    func write(_ index: LibraryIndex) {
        let bytes = index.bytes
        guard bytes.count <= Self.maximumBytes else { return }
        let temporary = "\(layout.index)-\(UUID().uuidString)"
        do {
            try calls.writeFile(temporary, bytes, flushing: false)
            try calls.rename(temporary, to: layout.index)
        } catch {
            try? calls.removeFile(temporary)
        }
    }

    /// Removes files that processes left when they ended while writing.
    func removeAbandoned(_ entries: [DirectoryEntry], now: Date) {
        for entry in entries where entry.name.hasPrefix(LibraryLayout.indexName + "-") {
            let path = layout.root + "/" + entry.name
            guard let status = try? calls.status(of: path, followingLinks: false), status.kind == .regular,
                now.timeIntervalSince(status.modified.date) > Self.abandonedAfter
            else { continue }
            try? calls.removeFile(path)
        }
    }
}
