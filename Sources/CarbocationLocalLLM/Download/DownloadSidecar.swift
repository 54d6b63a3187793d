import Foundation

/// What is known about a partial file.
///
/// It is stored beside the data, and holds neither tokens nor headers.
struct DownloadSidecar: Codable, Sendable, Equatable {
    static let currentVersion = 1
    static let maximumBytes = 64 << 20

    var schemaVersion = currentVersion
    var url: URL
    var etag: String?
    var lastModified: String?
    /// The size of the whole file, 0 when it is unknown.
    var totalBytes: Int64 = 0
    var displayName = ""
    var chunkSize: Int64 = 0
    /// The chunks that are on disk; nil when the data has no gaps, so that its size says what is there.
    var doneChunks: [Int64]?
    var repo: String?
    var revision: String?
    var commit: String?
    var path: String?
    var role: HuggingFaceArtifactRole?
    /// The expected hash, and once the file is complete the computed one.
    var sha256: String?
    /// The same for all files that are downloaded together.
    var setID: String?
    /// All files that are downloaded together.
    var resolution: HuggingFaceResolution?
    /// Whether the data is whole and verified.
    var complete = false

    init(url: URL) {
        self.url = url
    }

    /// Reads what an earlier version, or one with fewer fields, has written.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(URL.self, forKey: .url)
        schemaVersion = try container.decodeIfPresent(Int.self, forKey: .schemaVersion) ?? Self.currentVersion
        guard schemaVersion <= Self.currentVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .schemaVersion, in: container, debugDescription: "written by a later version")
        }
        totalBytes = max(try container.decodeIfPresent(Int64.self, forKey: .totalBytes) ?? 0, 0)
        chunkSize = max(try container.decodeIfPresent(Int64.self, forKey: .chunkSize) ?? 0, 0)
        doneChunks = chunkSize > 0 ? try container.decodeIfPresent([Int64].self, forKey: .doneChunks) : nil
        complete = try container.decodeIfPresent(Bool.self, forKey: .complete) ?? false
        // What follows only helps; without it the file starts over at worst.
        etag = try? container.decodeIfPresent(String.self, forKey: .etag)
        lastModified = try? container.decodeIfPresent(String.self, forKey: .lastModified)
        displayName = (try? container.decodeIfPresent(String.self, forKey: .displayName)) ?? ""
        repo = try? container.decodeIfPresent(String.self, forKey: .repo)
        revision = try? container.decodeIfPresent(String.self, forKey: .revision)
        commit = try? container.decodeIfPresent(String.self, forKey: .commit)
        path = try? container.decodeIfPresent(String.self, forKey: .path)
        role = try? container.decodeIfPresent(HuggingFaceArtifactRole.self, forKey: .role)
        sha256 = try? container.decodeIfPresent(String.self, forKey: .sha256)
        setID = try? container.decodeIfPresent(String.self, forKey: .setID)
        resolution = try? container.decodeIfPresent(HuggingFaceResolution.self, forKey: .resolution)
    }

    /// What tells one version of the remote file from another.
    var validator: RemoteValidator { RemoteValidator(etag: etag, lastModified: lastModified) }

    /// The chunks of the file, if it is kept in chunks.
    var plan: ChunkPlan? {
        guard let doneChunks, totalBytes > 0 else { return nil }
        return ChunkPlan(totalBytes: totalBytes, chunkSize: chunkSize, done: doneChunks)
    }

    /// How many bytes need not be fetched again, given the size of the data.
    func bytesOnDisk(dataSize: Int64) -> Int64 {
        if complete { return totalBytes > 0 ? min(totalBytes, dataSize) : dataSize }
        let bytes = plan?.doneBytes ?? dataSize
        return totalBytes > 0 ? min(bytes, totalBytes) : bytes
    }
}
