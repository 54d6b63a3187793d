import Foundation
import GGUFFormat

/// Keeps the metadata of files that were read, as long as the files stay as they are.
final class GGUFMetadataCache: Sendable {
    static let shared = GGUFMetadataCache()

    fileprivate struct Entry {
        let stamp: FileStamp
        let metadata: GGUFModelMetadata
        var lastUse: UInt64
        var size: Int { metadata.textSize + 512 }
    }

    fileprivate struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var uses: UInt64 = 0
    }

    private let calls: any FileCalls
    private let maximumCount: Int
    private let maximumSize: Int
    private let state = Locked(State())

    /// Creates an empty cache that holds neither more files than `maximumCount` nor more text than `maximumSize`.
    init(calls: any FileCalls = SystemFileCalls(), maximumCount: Int = 512, maximumSize: Int = 16 << 20) {
        self.calls = calls
        self.maximumCount = maximumCount
        self.maximumSize = maximumSize
    }

    /// How many files are remembered.
    var count: Int { state.withLock { $0.entries.count } }

    func metadata(at url: URL) throws(GGUFReaderError) -> GGUFModelMetadata {
        guard url.isFileURL else { throw .unreadable("the address is not that of a local file.") }
        let path = url.standardizedFileURL.path
        let stamp = (try? calls.status(of: path, followingLinks: true)).map(FileStamp.init)
        if let stamp, let known = state.withLock({ $0.take(path, stamp) }) { return known }
        let header = try GGUFFile.header(of: try calls.model(at: path))
        let metadata = GGUFModelMetadata(GGUFModelFacts(header: header, fileName: url.lastPathComponent))
        // A file that changed while it was read is read again next time.
        let after = (try? calls.status(of: path, followingLinks: true)).map(FileStamp.init)
        if let stamp, stamp == after {
            state.withLock { $0.keep(metadata, path, stamp, maximumCount, maximumSize) }
        }
        return metadata
    }
}

extension GGUFMetadataCache.State {
    fileprivate mutating func take(_ path: String, _ stamp: FileStamp) -> GGUFModelMetadata? {
        guard let entry = entries[path], entry.stamp == stamp else { return nil }
        uses += 1
        entries[path]?.lastUse = uses
        return entry.metadata
    }

    fileprivate mutating func keep(
        _ metadata: GGUFModelMetadata, _ path: String, _ stamp: FileStamp, _ maximumCount: Int, _ maximumSize: Int
    ) {
        uses += 1
        let entry = GGUFMetadataCache.Entry(stamp: stamp, metadata: metadata, lastUse: uses)
        remove(path)
        guard entry.size <= maximumSize else { return }
        while entries.count >= maximumCount || size + entry.size > maximumSize {
            guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { break }
            remove(oldest)
        }
        entries[path] = entry
        size += entry.size
    }

    private mutating func remove(_ path: String) {
        if let old = entries.removeValue(forKey: path) { size -= old.size }
    }
}
