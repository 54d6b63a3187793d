import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

/// A hub in memory with one model of three parts and a projector.
struct ModelSetRig {
    static let repo = "org/model"
    static let commit = String(repeating: "c0ffee00", count: 5)
    static let names = (1...3).map { "Q8_0/m-Q8_0-0000\($0)-of-00003.gguf" } + ["mmproj-F16.gguf"]

    let rig: DownloadRig
    let contents: [String: ServerContent]

    init(kibibytes: Int64 = 1300) {
        let contents = Dictionary(
            uniqueKeysWithValues: Self.names.enumerated().map { index, name in
                (name, ServerContent.gguf(seed: UInt64(index + 1), count: (kibibytes + Int64(index)) << 10))
            })
        self.contents = contents
        rig = DownloadRig { request in Self.answer(request, contents) }
    }

    private static func answer(_ request: ServerRequest, _ contents: [String: ServerContent]) -> ServerReply {
        if request.path.hasSuffix("/refs") {
            return .json(#"{"branches":[{"name":"main","ref":"refs/heads/main","targetCommit":"\#(commit)"}]}"#)
        }
        if request.path.hasSuffix("/tree/\(commit)") {
            let files = contents.map { path, content in
                let lfs = #"{"oid":"\#(content.sha256)","size":\#(content.count)}"#
                return #"{"type":"file","path":"\#(path)","size":130,"lfs":\#(lfs)}"#
            }
            return .json("[\(files.joined(separator: ","))]")
        }
        let path = request.path.components(separatedBy: "/resolve/\(commit)/").last ?? ""
        guard let content = contents[path] else { return .text("no", status: 404) }
        return ServerResource(content, etag: "\"\(content.sha256)\"").reply(to: request)
    }

    var endpoint: URL { URL(string: "http://127.0.0.1:8080")! }
    var reference: HuggingFaceModelReference { HuggingFaceModelReference(repo: Self.repo, endpoint: endpoint) }

    func resolve(includesProjector: Bool = true) async throws -> HuggingFaceResolution {
        let client = HuggingFaceHTTPClient(transport: rig.transport)
        return try await HuggingFaceModelResolver(endpoint: endpoint, httpClient: client)
            .resolve(reference, includesProjector: includesProjector)
    }

    func download(
        _ resolution: HuggingFaceResolution, token: String? = nil,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> HuggingFaceModelDownloadResult {
        try await rig.engine.download(
            resolution, root: rig.folder.url, token: token, configuration: DownloadRig.configuration(retries: 0),
            onProgress: onProgress)
    }

    /// How many requests there were for a file.
    func requests(for name: String) -> Int {
        rig.transport.requests.count { $0.url.path.hasSuffix(name) && $0.url.path.contains("/resolve/") }
    }

    func expectWhole(_ result: HuggingFaceModelDownloadResult, names: [String] = names) throws {
        #expect(result.artifacts.map(\.relativePath) == names)
        for artifact in result.artifacts {
            let content = try #require(contents[artifact.relativePath])
            #expect(try Data(contentsOf: artifact.sourceURL) == Data(content.bytes))
            #expect(artifact.sha256 == content.sha256)
            #expect(artifact.sizeBytes == content.count)
        }
        #expect(result.primarySHA256 == contents[names[0]]?.sha256)
        #expect(result.sizeBytes == names.reduce(0) { $0 + (contents[$1]?.count ?? 0) })
    }
}

@Suite("Downloading a model", .timeLimit(.minutes(10)))
struct ModelSetDownloadTests {
    @Test("DL-13: all files in order, with roles; progress sums up to the size of all")
    func whole() async throws {
        let set = ModelSetRig()
        let resolution = try await set.resolve()
        let reports = Locked<[DownloadProgress]>([])
        let result = try await set.download(resolution) { progress in reports.withLock { $0.append(progress) } }
        try set.expectWhole(result)
        #expect(result.artifacts.map(\.role) == [.primaryModel, .splitModel, .splitModel, .mmproj])
        let all = reports.withLock { $0 }
        #expect(all.first?.bytesReceived == 0)
        #expect(all.allSatisfy { $0.totalBytes == resolution.totalSizeBytes })
        #expect(all.last?.bytesReceived == resolution.totalSizeBytes)
    }

    @Test("a reference is resolved and downloaded at its own endpoint")
    func reference() async throws {
        let set = ModelSetRig(kibibytes: 20)
        let result = try await set.rig.engine.download(
            set.reference, root: set.rig.folder.url, token: "hf_t", configuration: DownloadRig.configuration(),
            onProgress: { _ in })
        try set.expectWhole(result, names: Array(ModelSetRig.names.prefix(3)))
        #expect(set.rig.transport.requests.allSatisfy { $0.headers["Authorization"] == "Bearer hf_t" })
    }

    @Test("DL-13, D17, D18: when a part fails, those before it stay and are not fetched again")
    func failure() async throws {
        let set = ModelSetRig()
        let resolution = try await set.resolve()
        set.rig.faults.inject(.status(503), into: .path(endingWith: ModelSetRig.names[1]).and(.range(from: 1 << 20)))
        await #expect(throws: ModelDownloaderError.self) { try await set.download(resolution) }
        let partials = ModelDownloader.listPartials(in: set.rig.folder.url)
        let paths = Set(partials.map(\.artifactPath))
        #expect(partials.count == 2)
        #expect(paths == [ModelSetRig.names[0], ModelSetRig.names[1]])
        #expect(partials.filter(\.isComplete).map(\.artifactPath) == [ModelSetRig.names[0]])
        #expect(partials.allSatisfy { $0.reference?.revision == ModelSetRig.commit })
        #expect(partials.allSatisfy { $0.displayName == "m-Q8_0" })
        set.rig.faults.clear()
        let (first, second) = (set.requests(for: ModelSetRig.names[0]), set.requests(for: ModelSetRig.names[1]))
        let reports = Locked<[DownloadProgress]>([])
        let result = try await set.download(resolution) { progress in reports.withLock { $0.append(progress) } }
        try set.expectWhole(result)
        #expect(set.requests(for: ModelSetRig.names[0]) == first)
        #expect(set.requests(for: ModelSetRig.names[1]) == second + 1)
        let kept: Int64 = (1300 << 10) + (1 << 20)
        #expect(reports.withLock { $0.first?.bytesReceived } == kept)
    }

    @Test("DL-11: room is needed for the whole set")
    func space() async throws {
        let set = ModelSetRig(kibibytes: 100)
        let resolution = try await set.resolve()
        let fileSystem = FaultyFileSystem()
        let required = resolution.totalSizeBytes + 64 << 20
        fileSystem.setFreeBytes(required - 1)
        var engine = set.rig.engine
        engine.environment.fileSystem = fileSystem
        await #expect(
            throws: ModelDownloaderError.insufficientDiskSpace(required: required, available: required - 1)
        ) {
            try await engine.download(
                resolution, root: set.rig.folder.url, token: nil, configuration: DownloadRig.configuration(),
                onProgress: { _ in })
        }
    }

    @Test("DL-10: a size other than the resolution's is refused at once, and so is another content")
    func mismatch() async throws {
        let set = ModelSetRig(kibibytes: 20)
        var resolution = try await set.resolve()
        resolution.artifacts[0].sizeBytes += 1
        await #expect(throws: ModelDownloaderError.sizeMismatch(expected: 20 << 10 + 1, actual: 20 << 10)) {
            try await set.download(resolution)
        }
        resolution.artifacts[0].sizeBytes = 0
        resolution.artifacts[0].sha256 = String(repeating: "0", count: 64)
        await #expect(throws: ModelDownloaderError.self) { try await set.download(resolution) }
        #expect(set.rig.folder.partialNames.isEmpty)
    }

    @Test(
        "DL-18, D13: a resolution with unsafe paths or addresses is refused before any file is made",
        arguments: ["../../x.gguf", "/abs.gguf", #"a\..\x.gguf"#, "x\u{0}.gguf", "", "a/./b.gguf"])
    func unsafe(path: String) async throws {
        let set = ModelSetRig(kibibytes: 20)
        var resolution = try await set.resolve()
        resolution.artifacts[1].path = path
        await #expect(throws: ModelDownloaderError.badURL(path)) { try await set.download(resolution) }
        resolution = try await set.resolve()
        resolution.artifacts[1].url = resolution.artifacts[0].url
        await #expect(throws: ModelDownloaderError.self) { try await set.download(resolution) }
        resolution.artifacts[1].url = try #require(URL(string: "file:///etc/passwd"))
        await #expect(throws: ModelDownloaderError.self) { try await set.download(resolution) }
        resolution.artifacts = []
        await #expect(throws: ModelDownloaderError.self) { try await set.download(resolution) }
        #expect(set.rig.folder.partialNames.isEmpty)
    }

    @Test("DL-8: a token is not sent to an address of another origin than the reference's endpoint")
    func foreignAddress() async throws {
        let set = ModelSetRig(kibibytes: 20)
        var resolution = try await set.resolve()
        resolution.reference.endpoint = try #require(URL(string: "http://127.0.0.1:9090"))
        _ = try await set.download(resolution, token: "hf_secret")
        #expect(set.rig.transport.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("DL-14: two callers share the transfer of a model")
    func joined() async throws {
        let set = ModelSetRig(kibibytes: 20)
        let resolution = try await set.resolve()
        async let first = set.download(resolution)
        async let second = set.download(resolution)
        let results = try await [first, second]
        for result in results { try set.expectWhole(result) }
        for name in ModelSetRig.names { #expect(set.requests(for: name) == 1) }
    }

    @Test("D17: cancelling in the middle of a set throws, and later parts are not begun")
    func cancelled() async throws {
        let set = ModelSetRig(kibibytes: 20)
        let resolution = try await set.resolve()
        let gated = GatedTransport(base: set.rig.transport) { $0.url.path.hasSuffix(ModelSetRig.names[1]) }
        let engine = set.rig.engine(transport: gated)
        let task = Task { [root = set.rig.folder.url] in
            try await engine.download(
                resolution, root: root, token: nil, configuration: DownloadRig.configuration(), onProgress: { _ in })
        }
        await gated.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ModelSetRig.names.map(set.requests) == [1, 0, 0, 0])
    }
}
