import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@MainActor
@Suite struct ModelLibraryProjectorTests {
    private let fixture: LibraryFixture
    private let sources: ScratchFolder

    init() throws {
        fixture = try LibraryFixture()
        sources = try ScratchFolder()
    }

    private func projector(_ name: String = "mmproj-m.gguf") throws -> ModelLibraryInstallArtifact {
        ModelLibraryInstallArtifact(
            sourceURL: try sources.write(.projector, to: name), role: .mmproj, relativePath: name,
            sha256: HubCacheFixture.digest("8"))
    }

    /// A model and its projector as a hub names them.
    private func resolution(
        weights: Character = "7", projector: Character? = "8", path: String = "mmproj-m.gguf", size: Int64 = 1
    ) throws -> HuggingFaceResolution {
        let url = try #require(URL(string: "https://example.org/\(path)"))
        return HuggingFaceResolution(
            reference: HuggingFaceModelReference(repo: "owner/name"), commit: HubCacheFixture.main,
            artifacts: [
                HuggingFaceResolvedArtifact(
                    role: .primaryModel, path: "m.gguf", url: url, sizeBytes: 1, sha256: HubCacheFixture.digest(weights)
                ),
                HuggingFaceResolvedArtifact(
                    role: .mmproj, path: path, url: url, sizeBytes: size,
                    sha256: projector.map(HubCacheFixture.digest)),
            ], displayName: "m")
    }

    private func install(_ library: ModelLibrary, weights: Character = "7") async throws -> InstalledModel {
        try await library.add(
            weightsAt: try sources.write(.model(), to: "m.gguf"), displayName: "m", filename: "m.gguf",
            source: .customHF, hfRepo: "owner/name", hfFilename: "m.gguf", sha256: HubCacheFixture.digest(weights))
    }

    @Test("a projector is added to a model, which keeps its id and is listed with it at once")
    func adding() async throws {
        let library = fixture.library()
        let model = try await install(library)
        let changed = try await library.add(projector: try projector(), to: model.id)
        #expect(library.models == [changed])
        #expect(changed.id == model.id)
        #expect(changed.artifacts.map(\.role) == [.primaryModel, .mmproj])
        #expect(changed.sizeBytes == changed.artifacts.reduce(0) { $0 + $1.sizeBytes })
        #expect(changed.installedAt == model.installedAt)
        #expect(library.totalDiskUsageBytes() == changed.sizeBytes)
        // Another process sees the same, through the index and without it.
        for _ in 0..<2 {
            let other = fixture.library()
            await other.refresh()
            #expect(other.models == [changed])
            try? fixture.folder.remove(".index")
        }
        try await library.delete(id: model.id)
        #expect(fixture.folder.names().filter { !$0.hasPrefix(".") } == [])
    }

    @Test("a library that was not refreshed yet knows the model too; an unknown id is refused")
    func unlisted() async throws {
        let id = try fixture.place()
        #expect(try await fixture.library().add(projector: try projector(), to: id).artifacts.count == 2)
        await #expect(throws: ModelLibraryError.missingPrimaryArtifact) {
            try await fixture.library().add(projector: try projector(), to: UUID())
        }
        #expect(sources.exists("mmproj-m.gguf"))
    }

    @Test("ML-12: models of other programs are read-only, and no file changes")
    func readOnly() async throws {
        let studio = try ScratchFolder()
        try studio.write(.model(), to: "p/r/x.gguf")
        let library = fixture.library(
            search: ModelLibrarySearchConfiguration(externalLMStudioModelDirectories: [studio.url]))
        await library.refresh()
        let model = try #require(library.models.first)
        await #expect(throws: ModelLibraryError.readOnlyModel("x")) {
            try await library.add(projector: try projector(), to: model.id)
        }
        #expect(studio.names("p/r") == ["x.gguf"])
        #expect(sources.names() == ["mmproj-m.gguf"])
        #expect(fixture.folder.names().filter { !$0.hasPrefix(".") } == [])
    }

    @Test("DL-14a: a model is what a download would bring when its projector is too")
    func matching() async throws {
        let library = fixture.library()
        let model = try await install(library)
        let (whole, other) = (try resolution(), try resolution(weights: "6"))
        var weights = whole
        weights.artifacts.removeLast()
        #expect(library.model(with: weights) == model)
        #expect(library.model(lackingProjectorOf: weights) == nil)
        #expect(library.model(with: whole) == nil)
        #expect(library.model(lackingProjectorOf: whole) == model)
        #expect(library.model(lackingProjectorOf: other) == nil)
        let changed = try await library.add(projector: try projector(), to: model.id)
        #expect(library.model(with: weights) == changed)
        #expect(library.model(with: whole) == changed)
        #expect(library.model(lackingProjectorOf: whole) == nil)
        #expect(library.model(with: other) == nil)
        // Another content at the same path is another projector; the same content elsewhere is the same.
        #expect(library.model(lackingProjectorOf: try resolution(projector: "9")) == changed)
        #expect(library.model(with: try resolution(path: "b/mmproj.gguf")) == changed)
        // Without a hash the path and the size tell.
        let size = try #require(changed.artifacts.last?.sizeBytes)
        #expect(library.model(with: try resolution(projector: nil, size: size)) == changed)
        #expect(library.model(with: try resolution(projector: nil, size: 0)) == changed)
        #expect(library.model(with: try resolution(projector: nil, size: size + 1)) == nil)
        #expect(library.model(with: try resolution(projector: nil, path: "b.gguf", size: size)) == nil)
    }

    @Test("a cached model of another program counts with the projector it has, and is never given one")
    func external() async throws {
        let hub = try HubCacheFixture()
        try hub.ref()
        try hub.add("m.gguf", blob: HubCacheFixture.digest("7"))
        let library = fixture.library(
            search: ModelLibrarySearchConfiguration(externalHuggingFaceHubCacheDirectories: [hub.folder.url]))
        await library.refresh()
        #expect(library.models.map(\.isReadOnly) == [true])
        #expect(library.model(with: try resolution()) == nil)
        #expect(library.model(lackingProjectorOf: try resolution()) == nil)
        try hub.add("mmproj-m.gguf", .projector, blob: HubCacheFixture.digest("9"))
        await library.refresh()
        #expect(library.model(with: try resolution()) != nil)
    }

    @Test("DL-15: a projector that was downloaded alone is installed into its model, of several into the last")
    func installingAlone() async throws {
        let library = fixture.library()
        let alone = try #require(try resolution().projectorAlone)
        #expect(alone.isProjectorAlone)
        #expect(alone.artifacts.map(\.role) == [.mmproj])
        #expect(alone.reference.file == "m.gguf")
        let download = HuggingFaceModelDownloadResult(
            resolution: alone, artifacts: [try projector()], sizeBytes: 1, primarySHA256: "")
        await #expect(throws: ModelLibraryError.missingPrimaryArtifact) { try await library.install(download) }
        #expect(sources.exists("mmproj-m.gguf"))
        try fixture.place { object in
            (object["hfRepo"], object["hfFilename"]) = ("owner/name", "m.gguf")
        }
        let model = try await install(library)
        #expect(try await library.install(download).id == model.id)
        #expect(library.models.map(\.artifacts.count).sorted() == [1, 2])
    }
}
