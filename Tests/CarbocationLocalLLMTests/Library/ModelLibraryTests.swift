import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@MainActor
@Suite struct ModelLibraryTests {
    private let fixture: LibraryFixture
    private let sources: ScratchFolder

    init() throws {
        fixture = try LibraryFixture()
        sources = try ScratchFolder()
    }

    @Test("ML table: import, probe, sync and delete")
    func lifeOfAModel() async throws {
        let url = try sources.write(.model(context: nil), to: "source-Q4_K_M.gguf")
        let library = fixture.library(probe: { _ in 32_768 })
        let model = try await library.importFile(at: url, displayName: "Test Model")
        #expect(library.models == [model])
        #expect(model.displayName == "Test Model")
        #expect(model.quantization == "Q4_K_M")
        #expect(model.contextLength == 32_768)
        #expect(sources.exists("source-Q4_K_M.gguf"))
        try await library.syncContextLength(65_536, for: model.id)
        #expect(library.model(id: model.id)?.contextLength == 65_536)
        let other = fixture.library()
        #expect(await other.resolveInstalledModel(id: model.id)?.contextLength == 65_536)
        try await library.delete(id: model.id)
        #expect(library.models.isEmpty)
        #expect(!fixture.folder.exists(model.id.uuidString))
    }

    @Test("ML table: with an explicit context the probe is never called, and it runs off the main thread otherwise")
    func probing() async throws {
        let calls = Locked<[Bool]>([])
        let library = fixture.library(probe: { _ in
            calls.withLock { $0.append(Thread.isMainThread) }
            return 5
        })
        let url = try sources.write(.model(context: nil), to: "m.gguf")
        try await library.add(
            weightsAt: url, displayName: "x", filename: "m.gguf", source: .curated, contextLength: 32_768)
        #expect(calls.withLock { $0 } == [])
        let second = try sources.write(.model(context: nil), to: "n.gguf")
        try await library.add(weightsAt: second, displayName: "y", filename: "n.gguf", source: .customHF)
        #expect(calls.withLock { $0 } == [false])
        #expect(library.models.map(\.contextLength) == [32_768, 5])
    }

    @Test("ML-7 table: order of equal sizes, and the orphan's name")
    func order() async throws {
        try fixture.place(name: "bravo")
        try fixture.place(name: "Alpha")
        let library = fixture.library()
        await library.refresh()
        #expect(library.models.map(\.displayName) == ["Alpha", "bravo"])
    }

    @Test("ML table: resolving looks only at the list unless it refreshes")
    func resolving() async throws {
        let id = try fixture.place()
        let library = fixture.library()
        #expect(await library.resolveInstalledModel(id: id, refreshing: false) == nil)
        #expect(library.model(id: id) == nil)
        #expect(await library.resolveInstalledModel(id: id)?.id == id)
        #expect(await library.resolveInstalledModel(id: id, refreshing: false)?.id == id)
        #expect(library.model(id: " \(id.uuidString.lowercased())\n")?.id == id)
        #expect(library.model(id: "nonsense") == nil)
        #expect(library.model(id: UUID()) == nil)
    }

    @Test("ML-5: damaged folders are listed, and deleting one removes only it")
    func damaged() async throws {
        let sound = try fixture.place()
        let broken = try fixture.place()
        try fixture.folder.write("{", to: "\(broken.uuidString)/metadata.json")
        let library = fixture.library()
        await library.refresh()
        #expect(library.models.map(\.id) == [sound])
        #expect(library.damagedModels.map(\.id) == [broken])
        try await library.delete(id: broken)
        #expect(library.damagedModels.isEmpty)
        #expect(fixture.folder.names().filter { !$0.hasPrefix(".") } == [sound.uuidString])
    }

    @Test("ML-12: unknown ids and values that say nothing change nothing")
    func noOperations() async throws {
        let id = try fixture.place()
        let library = fixture.library()
        await library.refresh()
        let before = try fixture.folder.data("\(id.uuidString)/metadata.json")
        for length in [0, -1, .min, 32_768] { try await library.syncContextLength(length, for: id) }
        try await library.syncContextLength(5, for: UUID())
        try await library.delete(id: UUID())
        #expect(try fixture.folder.data("\(id.uuidString)/metadata.json") == before)
        #expect(library.models.map(\.id) == [id])
    }

    @Test("ML-12: models of other programs are read-only")
    func readOnly() async throws {
        let studio = try ScratchFolder()
        let weights = try studio.write(.model(), to: "p/r/x.gguf")
        let library = fixture.library(
            search: ModelLibrarySearchConfiguration(externalLMStudioModelDirectories: [studio.url]))
        await library.refresh()
        let model = try #require(library.models.first)
        let error = ModelLibraryError.readOnlyModel("x")
        await #expect(throws: error) { try await library.delete(id: model.id) }
        await #expect(throws: error) { try await library.syncContextLength(9, for: model.id) }
        #expect(FileManager.default.fileExists(atPath: weights.path))
        #expect(studio.names("p/r") == ["x.gguf"])
    }

    @Test("ML table: the managed copy of a cached model is the one listed")
    func duplicates() async throws {
        let hub = try HubCacheFixture()
        try hub.ref()
        try hub.add("m.gguf", blob: HubCacheFixture.digest("7"))
        let library = fixture.library(
            search: ModelLibrarySearchConfiguration(externalHuggingFaceHubCacheDirectories: [hub.folder.url]))
        await library.refresh()
        #expect(library.models.map(\.isReadOnly) == [true])
        let url = try sources.write(.model(), to: "m.gguf")
        let model = try await library.add(
            weightsAt: url, displayName: "Own", filename: "m.gguf", source: .customHF, hfRepo: "owner/name",
            hfFilename: "m.gguf", sha256: HubCacheFixture.digest("7"))
        #expect(library.models == [model])
    }

    @Test("ML-7: external models do not count as disk usage, and sizes that cannot be do not overflow")
    func diskUsage() async throws {
        let studio = try ScratchFolder()
        try studio.write(.model(), to: "p/r/x.gguf")
        try fixture.place { $0["sizeBytes"] = 100 }
        let library = fixture.library(
            search: ModelLibrarySearchConfiguration(externalLMStudioModelDirectories: [studio.url]))
        await library.refresh()
        #expect(library.models.count == 2)
        #expect(library.totalDiskUsageBytes() == 100)
        try fixture.place { $0["sizeBytes"] = .int(.max) }
        await library.refresh()
        #expect(library.totalDiskUsageBytes() == .max)
    }

    @Test("ML-11: several files make one model")
    func importingFiles() async throws {
        for part in 1...2 { try sources.write(.part(part, of: 2), to: "m-0000\(part)-of-00002.gguf") }
        let projector = try sources.write(.projector, to: "eyes.gguf")
        let library = fixture.library()
        let model = try await library.importFiles(at: [sources.place("m-00002-of-00002.gguf"), projector])
        #expect(model.artifacts.map(\.role) == [.primaryModel, .splitModel, .mmproj])
        #expect(fixture.unloadable(fixture.scan()).isEmpty)
        #expect(library.models == [model])
    }

    @Test("a download is installed with its origin")
    func installingDownload() async throws {
        let url = try sources.write(.model(), to: "cllm-partial-1.gguf")
        let digest = HubCacheFixture.digest("5")
        let path = "sub/m-Q4_0.gguf"
        let resolution = HuggingFaceResolution(
            reference: HuggingFaceModelReference(repo: "o/r"), commit: HubCacheFixture.main,
            artifacts: [
                HuggingFaceResolvedArtifact(role: .primaryModel, path: path, url: url, sizeBytes: 1, sha256: digest)
            ], quantization: "Q4_0", displayName: "m-Q4_0")
        let download = HuggingFaceModelDownloadResult(
            resolution: resolution,
            artifacts: [
                ModelLibraryInstallArtifact(sourceURL: url, role: .primaryModel, relativePath: path, sha256: digest)
            ], sizeBytes: 1, primarySHA256: digest)
        let library = fixture.library()
        let model = try await library.install(download)
        #expect(model.displayName == "m-Q4_0")
        #expect(model.source == .customHF)
        #expect(model.hfRepo == "o/r")
        #expect(model.hfFilename == path)
        #expect(model.sha256 == digest)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(library.model(with: resolution) == model)
        var other = resolution
        other.artifacts[0].sha256 = HubCacheFixture.digest("6")
        #expect(library.model(with: other) == nil)
    }

    @Test("partials outside the library's folder are not deleted")
    func foreignPartials() async throws {
        let precious = try sources.write("x", to: "precious")
        let library = fixture.library()
        let web = try #require(URL(string: "https://example.org/x"))
        for path in [precious, fixture.folder.place(".partials/../precious"), fixture.folder.place(".partials/a/b")] {
            let partial = PartialDownload(
                id: "x", partialURL: path, sidecarURL: fixture.folder.place(".partials/x.json"), sourceURL: web,
                displayName: "x", totalBytes: 1, bytesOnDisk: 1)
            await #expect(throws: ModelLibraryError.unsafeArtifactPath(path.path)) {
                try await library.deletePartial(partial)
            }
        }
        #expect(sources.exists("precious"))
    }

    @Test("SC-6: a cancelled import throws CancellationError and leaves nothing")
    func cancelledImport() async throws {
        let url = try sources.write(.model(), to: "m.gguf")
        let library = fixture.library()
        let task = Task {
            await Gate.passOnCancellation()
            try await library.importFile(at: url)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(fixture.folder.names(".staging") == [])
        #expect(fixture.folder.names().filter { !$0.hasPrefix(".") } == [])
    }

    @Test("errors are sentences with a remedy")
    func errors() {
        let url = URL(fileURLWithPath: "/a/m-00002-of-00002.gguf")
        let errors: [ModelLibraryError] = [
            .sourceFileMissing(url), .destinationExists(url), .metadataWriteFailed("X"), .notAGGUF("X"),
            .missingPrimaryArtifact, .unsafeArtifactPath("../x"), .readOnlyModel("X"),
        ]
        for error in errors {
            let sentences = error.localizedDescription.split(separator: ". ")
            #expect(sentences.count == 2)
            #expect(error.localizedDescription.hasSuffix("."))
        }
        #expect(ModelLibraryError.sourceFileMissing(url).localizedDescription.contains("m-00002-of-00002.gguf"))
    }
}
