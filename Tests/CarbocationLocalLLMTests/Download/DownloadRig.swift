import Foundation
import TestSupport

@testable import CarbocationLocalLLM

/// A download engine with a server in memory, a folder of its own and a clock that stands.
struct DownloadRig: Sendable {
    static let mebibyte: Int64 = 1 << 20

    let folder = DownloadFolder()
    let clock = TestClock()
    let transport: InMemoryTransport
    var fileSystem: any DownloadFileSystem = LocalFileSystem()
    private let mutex = KeyedMutex()
    private let transfers = SharedTransfers()

    init(pieceSize: Int64 = 64 << 10, handler: @escaping HTTPTestServer.Handler) {
        transport = InMemoryTransport(pieceSize: pieceSize, handler: handler)
    }

    /// Serves one resource under every path.
    init(_ resource: ServerResource, pieceSize: Int64 = 64 << 10) {
        self.init(pieceSize: pieceSize) { resource.reply(to: $0) }
    }

    var faults: FaultPlan { transport.faults }

    var engine: DownloadEngine {
        engine(transport: transport)
    }

    /// The same engine over another transport.
    func engine(transport: any HTTPTransport) -> DownloadEngine {
        let environment = DownloadEnvironment(
            client: HTTPClient(transport: transport), fileSystem: fileSystem, clock: clock.downloadClock, mutex: mutex,
            retryDelay: TestClock.retryDelay)
        return DownloadEngine(
            environment: environment, transfers: transfers, resolverClient: HuggingFaceHTTPClient(transport: transport))
    }

    /// An engine that knows nothing of what others in this process do.
    var otherProcess: DownloadEngine {
        var engine = engine
        engine.environment.mutex = KeyedMutex()
        engine.transfers = SharedTransfers()
        return engine
    }

    // MARK: One file

    static let url = URL(string: "http://127.0.0.1:8080/models/m-Q4_K_M.gguf")!

    var files: PartialFiles { PartialFiles(root: folder.url, source: Self.url) }
    var store: PartialStore { PartialStore(files: files, fileSystem: LocalFileSystem()) }

    func download(
        _ url: URL = url, sha256: String? = nil, token: String? = nil, connections: Int = 4, retries: Int = 5,
        engine: DownloadEngine? = nil, onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> ModelDownloadResult {
        try await (engine ?? self.engine).download(
            from: url, root: folder.url, displayName: nil, expectedSHA256: sha256, token: token,
            configuration: Self.configuration(connections: connections, retries: retries), onProgress: onProgress)
    }

    static func configuration(connections: Int = 4, retries: Int = 5) -> ModelDownloadConfiguration {
        ModelDownloadConfiguration(
            parallelConnections: connections, chunkSize: Int(mebibyte), maximumRetries: retries)
    }

    /// Puts data on disk as an earlier call would have left it.
    func leave(_ data: [UInt8], _ change: (inout DownloadSidecar) -> Void = { _ in }) throws {
        try FileManager.default.createDirectory(at: folder.partials, withIntermediateDirectories: true)
        try Data(data).write(to: files.data)
        var sidecar = DownloadSidecar(url: Self.url)
        sidecar.etag = "\"v1\""
        change(&sidecar)
        try store.save(sidecar)
    }

    /// The values of `Range` so far, nil for requests without.
    var ranges: [String?] { transport.requests.map { $0.headers["Range"] } }

    /// The bytes that were asked for.
    var askedRanges: [Range<Int64>] {
        ranges.compactMap { $0 }.compactMap { text in
            let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            guard let first = Int64(ends[0]) else { return nil }
            return first..<(Int64(ends[1]).map { $0 + 1 } ?? Int64.max)
        }
    }
}

extension ServerResource {
    /// A model file of a size in KiB with a strong tag.
    static func model(kibibytes: Int64, seed: UInt64 = 7, etag: String? = "\"v1\"") -> ServerResource {
        ServerResource(.gguf(seed: seed, count: kibibytes << 10), etag: etag)
    }

    /// A few bytes.
    static func small(_ text: String, etag: String? = "\"v1\"") -> ServerResource {
        ServerResource(ServerContent(text), etag: etag)
    }
}
