import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Resuming a listed download", .timeLimit(.minutes(10)))
struct ModelResumeTests {
    private func resume(_ partial: PartialDownload, _ rig: DownloadRig) async throws -> ModelDownloadResumeResult {
        try await rig.engine.resume(
            partial, root: rig.folder.url, token: nil, configuration: DownloadRig.configuration(), onProgress: { _ in })
    }

    @Test("DL-15: any file of a model, complete or not, gives the whole model without resolving again")
    func model() async throws {
        for index in 0...1 {
            let set = ModelSetRig()
            let resolution = try await set.resolve()
            set.rig.faults.inject(
                .status(503), into: .path(endingWith: ModelSetRig.names[1]).and(.range(from: 1 << 20)))
            await #expect(throws: ModelDownloaderError.self) { try await set.download(resolution) }
            set.rig.faults.clear()
            let partial = try #require(
                ModelDownloader.listPartials(in: set.rig.folder.url).first {
                    $0.artifactPath == ModelSetRig.names[index]
                })
            let asked = set.rig.transport.requests.count { $0.url.path.contains("/api/") }
            guard case .model(let result) = try await resume(partial, set.rig) else {
                Issue.record("no model")
                return
            }
            try set.expectWhole(result)
            #expect(result.resolution == resolution)
            #expect(set.rig.transport.requests.count { $0.url.path.contains("/api/") } == asked)
        }
    }

    @Test("DL-15: a sidecar that lists no siblings: its own file first, then the other parts at the recorded commit")
    func olderSidecar() async throws {
        let set = ModelSetRig()
        let url = try await set.resolve().artifacts[1].url
        var sidecar = DownloadSidecar(url: url)
        sidecar.totalBytes = try #require(set.contents[ModelSetRig.names[1]]?.count)
        sidecar.etag = "\"\(try #require(set.contents[ModelSetRig.names[1]]?.sha256))\""
        (sidecar.repo, sidecar.revision, sidecar.commit) = (ModelSetRig.repo, "main", ModelSetRig.commit)
        sidecar.path = ModelSetRig.names[1]
        let store = PartialStore(
            files: PartialFiles(root: set.rig.folder.url, source: url), fileSystem: LocalFileSystem())
        try FileManager.default.createDirectory(at: store.files.folder, withIntermediateDirectories: true)
        try Data(try #require(set.contents[ModelSetRig.names[1]]?[0..<1000])).write(to: store.files.data)
        try store.save(sidecar)
        let partial = try #require(ModelDownloader.listPartials(in: set.rig.folder.url).first)
        #expect(partial.bytesOnDisk == 1000)
        #expect(partial.reference?.endpoint == set.endpoint)
        let before = set.rig.transport.requests.count
        guard case .model(let result) = try await resume(partial, set.rig) else {
            Issue.record("no model")
            return
        }
        try set.expectWhole(result, names: Array(ModelSetRig.names.prefix(3)))
        #expect(result.resolution.commit == ModelSetRig.commit)
        #expect(set.rig.transport.requests[before].headers["Range"] == "bytes=1000-")
        #expect(!set.rig.transport.requests.dropFirst(before).contains { $0.url.path.hasSuffix("/refs") })
    }

    @Test("DL-15: a plain address gives a file")
    func file() async throws {
        let resource = ServerResource.model(kibibytes: 2048)
        let rig = DownloadRig(resource)
        rig.faults.inject(.status(503), into: .range(from: 1 << 20))
        await #expect(throws: ModelDownloaderError.self) { try await rig.download(retries: 0) }
        rig.faults.clear()
        let partial = try #require(ModelDownloader.listPartials(in: rig.folder.url).first)
        #expect(partial.sourceURL == DownloadRig.url)
        #expect(partial.reference == nil)
        guard case .file(let result) = try await resume(partial, rig) else {
            Issue.record("no file")
            return
        }
        #expect(result.sha256 == resource.content.sha256)
        #expect(rig.ranges.last == "bytes=1048576-2097151")
    }

    @Test("DL-15: without a sidecar the download begins anew")
    func noSidecar() async throws {
        let resource = ServerResource.model(kibibytes: 100)
        let rig = DownloadRig(resource)
        let partial = PartialDownload(
            id: rig.files.key, partialURL: rig.files.data, sidecarURL: rig.files.sidecar, sourceURL: DownloadRig.url,
            displayName: "x", totalBytes: 5, bytesOnDisk: 1)
        guard case .file(let result) = try await resume(partial, rig) else {
            Issue.record("no file")
            return
        }
        #expect(result.sha256 == resource.content.sha256)
    }
}

@Suite("Downloading and installing", .timeLimit(.minutes(10)))
struct ModelInstallTests {
    /// A library that keeps what is installed in a folder of its own.
    private struct Library: Sendable {
        let folder: URL
        let count = Locked(0)

        func find() -> Int? { count.withLock { $0 == 0 ? nil : $0 } }

        func install(_ download: HuggingFaceModelDownloadResult) throws -> Int {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for artifact in download.artifacts {
                let name = artifact.relativePath.replacingOccurrences(of: "/", with: "_")
                try FileManager.default.moveItem(
                    at: artifact.sourceURL, to: folder.appendingPathComponent(name))
            }
            return count.withLock { count in
                count += 1
                return count
            }
        }
    }

    private func install(
        _ set: ModelSetRig, _ resolution: HuggingFaceResolution, _ library: Library, engine: DownloadEngine? = nil
    ) async throws -> Int {
        try await (engine ?? set.rig.engine).install(
            resolution, root: set.rig.folder.url, token: nil, configuration: DownloadRig.configuration(),
            onProgress: { _ in }, findInstalled: { library.find() }, install: { try library.install($0) })
    }

    @Test("DL-14a: two processes want the same model: one downloads, both have it, nothing else is left")
    func twice() async throws {
        let set = ModelSetRig(kibibytes: 50)
        let resolution = try await set.resolve()
        let library = Library(folder: set.rig.folder.url("library"))
        let mover = Task { [clock = set.rig.clock] in
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }
        async let first = install(set, resolution, library)
        async let second = install(set, resolution, library, engine: set.rig.otherProcess)
        let installed = try await [first, second]
        mover.cancel()
        #expect(installed == [1, 1])
        for name in ModelSetRig.names { #expect(set.requests(for: name) == 1) }
        #expect(set.rig.folder.partialNames.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.path).count == 4)
    }

    @Test("DL-14a: what is installed already is not transferred, and partial data of it goes")
    func installed() async throws {
        let set = ModelSetRig(kibibytes: 50)
        let resolution = try await set.resolve()
        set.rig.faults.inject(.status(404), into: .path(endingWith: ModelSetRig.names[1]))
        let library = Library(folder: set.rig.folder.url("library"))
        await #expect(throws: ModelDownloaderError.notFound) { try await install(set, resolution, library) }
        #expect(!set.rig.folder.partialNames.isEmpty)
        library.count.withLock { $0 = 7 }
        let before = set.rig.transport.requests.count
        #expect(try await install(set, resolution, library) == 7)
        #expect(set.rig.transport.requests.count == before)
        #expect(set.rig.folder.partialNames.isEmpty)
    }

    @Test("DL-14a: of a model that is there but for its projector, only that is transferred, under the locks of all")
    func missingProjector() async throws {
        let set = ModelSetRig(kibibytes: 50)
        let resolution = try await set.resolve()
        let library = Library(folder: set.rig.folder.url("library"))
        let mover = Task { [clock = set.rig.clock] in
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }
        let reports = Locked<[DownloadProgress]>([])
        let install: @Sendable (DownloadEngine) async throws -> Int = { engine in
            try await engine.install(
                resolution, root: set.rig.folder.url, token: nil, configuration: DownloadRig.configuration(),
                onProgress: { progress in reports.withLock { $0.append(progress) } },
                findInstalled: { library.find() }, findMissing: { resolution.projectorAlone },
                install: { download in
                    #expect(download.resolution.isProjectorAlone)
                    #expect(download.artifacts.map(\.role) == [.mmproj])
                    return try library.install(download)
                })
        }
        async let first = install(set.rig.engine)
        async let second = install(set.rig.otherProcess)
        let installed = try await [first, second]
        mover.cancel()
        #expect(installed == [1, 1])
        #expect(ModelSetRig.names.map(set.requests) == [0, 0, 0, 1])
        let size = resolution.mmprojArtifact?.sizeBytes
        #expect(reports.withLock { $0.allSatisfy { $0.totalBytes == size } && $0.last?.bytesReceived == size })
        #expect(set.rig.folder.partialNames.isEmpty)
    }

    @Test("DL-14a: an installation that fails or is cut short costs no byte of the download")
    func installFails() async throws {
        struct Failure: Error {}
        let set = ModelSetRig(kibibytes: 50)
        let resolution = try await set.resolve()
        let library = Library(folder: set.rig.folder.url("library"))
        await #expect(throws: Failure.self) {
            try await set.rig.engine.install(
                resolution, root: set.rig.folder.url, token: nil, configuration: DownloadRig.configuration(),
                onProgress: { _ in }, findInstalled: { nil as Int? },
                install: { download in
                    try FileManager.default.removeItem(at: download.artifacts[0].sourceURL)
                    throw Failure()
                })
        }
        let before = set.rig.transport.requests.count
        #expect(try await install(set, resolution, library) == 1)
        #expect(set.rig.transport.requests.count == before)
        #expect(set.rig.folder.partialNames.isEmpty)
    }

    @Test("DL-14a: a process that ends after the installation, before it has cleaned up, leaves nothing listed")
    func endsAfterInstallation() async throws {
        let set = ModelSetRig(kibibytes: 50)
        let resolution = try await set.resolve()
        let fileSystem = FaultyFileSystem()
        var engine = set.rig.engine
        engine.environment.fileSystem = fileSystem
        let root = set.rig.folder.url
        let model = root.appendingPathComponent(UUID().uuidString)
        let locks = Locked(true)
        _ = try await engine.install(
            resolution, root: root, token: nil, configuration: DownloadRig.configuration(), onProgress: { _ in },
            findInstalled: { nil as Int? },
            install: { download in
                for artifact in download.artifacts {
                    let place = model.appendingPathComponent(artifact.relativePath)
                    try FileManager.default.createDirectory(
                        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try FileManager.default.moveItem(at: artifact.sourceURL, to: place)
                }
                // While the installation goes on its files are left alone.
                let listed = ModelDownloader.listPartials(in: root).count
                locks.withLock { $0 = listed == 4 }
                fileSystem.die(after: 0)
                return 1
            })
        #expect(locks.withLock { $0 })
        #expect(set.rig.folder.partialNames.count { $0.hasSuffix(".json") } == 4)
        #expect(ModelDownloader.listPartials(in: root).isEmpty)
        #expect(set.rig.folder.partialNames.isEmpty)
        let first = try #require(set.contents[ModelSetRig.names[0]])
        #expect(try Data(contentsOf: model.appendingPathComponent(ModelSetRig.names[0])) == Data(first.bytes))
    }

    @Test("where the volume has no links, the files themselves are handed over")
    func noLinks() async throws {
        let set = ModelSetRig(kibibytes: 50)
        let resolution = try await set.resolve()
        let library = Library(folder: set.rig.folder.url("library"))
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(.link, code: ENOTSUP)
        var engine = set.rig.engine
        engine.environment.fileSystem = fileSystem
        #expect(try await install(set, resolution, library, engine: engine) == 1)
        #expect(set.rig.folder.partialNames.isEmpty)
    }
}
