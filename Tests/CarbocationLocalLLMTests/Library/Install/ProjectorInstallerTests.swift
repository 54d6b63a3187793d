import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct ProjectorInstallerTests {
    private let fixture: LibraryFixture
    private let sources: ScratchFolder

    init() throws {
        fixture = try LibraryFixture()
        sources = try ScratchFolder()
    }

    private func projector(
        _ name: String = "mmproj-m.gguf", place: String? = nil, content: GGUFBuilder = .projector, copy: Bool = false
    ) throws -> ModelLibraryInstallArtifact {
        ModelLibraryInstallArtifact(
            sourceURL: try sources.write(content, to: name), role: .mmproj, relativePath: place ?? name,
            sha256: "cd", copySource: copy)
    }

    @discardableResult
    private func add(
        _ projector: ModelLibraryInstallArtifact, to id: UUID, calls: any FileCalls = SystemFileCalls(),
        checkpoint: () throws -> Void = {}
    ) throws -> InstalledModel {
        let model = try #require(fixture.scan().models.first { $0.id == id })
        return try ProjectorInstaller(layout: fixture.layout, calls: calls)
            .install(projector, into: model, checkpoint: checkpoint)
    }

    /// The only model, after a check that it can be loaded and nothing was left behind.
    private func listed(_ comment: Comment? = nil) throws -> InstalledModel {
        let findings = fixture.scan()
        #expect(findings.damaged.isEmpty, comment)
        #expect(fixture.unloadable(findings).isEmpty, comment)
        #expect(findings.models.count == 1, comment)
        #expect(fixture.folder.names(".staging") == [], comment)
        return try #require(findings.models.first)
    }

    private var weightsSize: Int64 { Int64(GGUFBuilder.model().data().count) }
    private var projectorSize: Int64 { Int64(GGUFBuilder.projector.data().count) }

    @Test("ML-3: the file is moved beside the model and listed behind it, and the sizes are added up")
    func adding() throws {
        let id = try fixture.place()
        let returned = try add(try projector(), to: id)
        #expect(sources.names() == [])
        let model = try listed()
        #expect(model.id == id)
        #expect(model.artifacts.map(\.role) == [.primaryModel, .mmproj])
        #expect(
            model.artifacts.last
                == InstalledModelArtifact(
                    role: .mmproj, relativePath: "mmproj-m.gguf", sizeBytes: projectorSize, sha256: "cd"))
        #expect(model.sizeBytes == weightsSize + projectorSize)
        #expect(returned.artifacts == model.artifacts)
        #expect(returned.sizeBytes == model.sizeBytes)
        #expect(fixture.folder.names(id.uuidString) == ["m-Q4_0.gguf", "metadata.json", "mmproj-m.gguf"])
    }

    @Test("ML-8: a copied source stays, and so does a file behind a link; the place may lie in a folder")
    func copying() throws {
        let id = try fixture.place()
        try add(try projector("a.gguf", place: "sub/deep/a.gguf", copy: true), to: id)
        #expect(sources.names() == ["a.gguf"])
        try sources.link("link.gguf", to: "a.gguf")
        let link = ModelLibraryInstallArtifact(
            sourceURL: sources.place("link.gguf"), role: .mmproj, relativePath: "sub/b.gguf")
        try add(link, to: id)
        #expect(sources.names() == ["a.gguf", "link.gguf"])
        #expect(try listed().artifacts.map(\.relativePath) == ["m-Q4_0.gguf", "sub/b.gguf", "sub/deep/a.gguf"])
        #expect(try fixture.folder.data("\(id.uuidString)/sub/b.gguf") == GGUFBuilder.projector.data())
    }

    @Test("what others have written into the description stays")
    func unknownKeys() throws {
        let id = try fixture.place { object in
            object["futureKey"] = ["deep": [1, .null]]
            object["storageLocation"] = ["kind": "external", "directoryPath": "/x"]
            guard var weights = object["artifacts"]?.arrayValue?.first?.objectValue else { return }
            weights["note"] = "kept"
            object["artifacts"] = [.object(weights), ["role": "draft", "relativePath": "d.gguf", "sizeBytes": 7], 5]
        }
        let before = try fixture.metadata(id) ?? [:]
        try add(try projector(), to: id)
        var after = try fixture.metadata(id) ?? [:]
        let entries = after["artifacts"]?.arrayValue ?? []
        #expect(Array(entries.prefix(3)) == before["artifacts"]?.arrayValue)
        #expect(entries.count == 4)
        #expect(after["sizeBytes"] == .int(weightsSize + projectorSize))
        (after["artifacts"], after["sizeBytes"]) = (before["artifacts"], before["sizeBytes"])
        #expect(after == before)
        // The place of a file whose role is unknown is taken.
        #expect(throws: ModelLibraryError.unsafeArtifactPath("D.gguf")) {
            try add(try projector("D.gguf"), to: id)
        }
    }

    @Test("ML-4: a description that lists no files gets its weights listed; sizes that only the total knows stay")
    func olderDescriptions() throws {
        let id = try fixture.place { object in
            object["artifacts"] = nil
            object["sha256"] = "ab"
        }
        try add(try projector(), to: id)
        let model = try listed()
        #expect(model.artifacts.map(\.sha256) == ["ab", "cd"])
        #expect(model.sizeBytes == weightsSize + projectorSize)
        try fixture.folder.remove(id.uuidString)
        let other = try fixture.place { object in
            object["artifacts"] = [["role": "primaryModel", "relativePath": "m-Q4_0.gguf"]]
        }
        try add(try projector(), to: other)
        #expect(fixture.scan().models.map(\.sizeBytes) == [weightsSize + projectorSize])
    }

    @Test("ML-6: a model without a description gets one")
    func orphan() throws {
        let id = UUID()
        try fixture.folder.write(.model(), to: "\(id.uuidString)/Orphan-Q5_K_M.gguf")
        try add(try projector("unlikely-name.gguf", content: .model(context: 5)), to: id)
        let model = try listed()
        #expect(model.displayName == "Orphan-Q5_K_M")
        #expect(model.artifacts.map(\.relativePath) == ["Orphan-Q5_K_M.gguf", "unlikely-name.gguf"])
    }

    @Test("the projector at the same place is replaced, another stays and comes second")
    func replacing() throws {
        let id = try fixture.place()
        try add(try projector(), to: id)
        let larger = GGUFBuilder.projector.adding("general.name", .string("a longer one"))
        try add(try projector(content: larger), to: id)
        let model = try listed()
        #expect(model.artifacts.map(\.sizeBytes) == [weightsSize, Int64(larger.data().count)])
        #expect(model.sizeBytes == weightsSize + Int64(larger.data().count))
        #expect(try fixture.folder.data("\(id.uuidString)/mmproj-m.gguf") == larger.data())
        try add(try projector("mmproj-other.gguf"), to: id)
        let both = try listed()
        #expect(both.artifacts.map(\.relativePath) == ["m-Q4_0.gguf", "mmproj-other.gguf", "mmproj-m.gguf"])
        #expect(both.artifactURL(role: .mmproj, in: fixture.root)?.lastPathComponent == "mmproj-other.gguf")
        #expect(both.sizeBytes == both.artifacts.reduce(0) { $0 + $1.sizeBytes })
    }

    @Test("a file that nobody lists gives way, also when it is the very one under another name")
    func strays() throws {
        let id = try fixture.place()
        try fixture.folder.write("stray", to: "\(id.uuidString)/mmproj-m.gguf")
        try add(try projector(), to: id)
        #expect(try listed().artifacts.count == 2)
        try fixture.folder.remove(id.uuidString)
        let other = try fixture.place()
        let artifact = try projector()
        try FileManager.default.linkItem(
            at: artifact.sourceURL, to: fixture.folder.place("\(other.uuidString)/mmproj-m.gguf"))
        try add(artifact, to: other)
        #expect(try listed().artifacts.count == 2)
        #expect(sources.names() == [])
    }

    @Test(
        "ML-9: unsafe places, and those of other files in any case",
        arguments: [
            "../p.gguf", "/tmp/p.gguf", "", "a/../../p.gguf", "a\\p.gguf", "p\u{0}.gguf", ".", "..", "a//p.gguf",
            "metadata.json", "METADATA.JSON", "m-Q4_0.gguf", "M-q4_0.GGUF",
        ])
    func unsafePlaces(path: String) throws {
        let id = try fixture.place()
        #expect(throws: ModelLibraryError.unsafeArtifactPath(path)) {
            try add(try projector("p.gguf", place: path), to: id)
        }
        #expect(sources.names() == ["p.gguf"])
        #expect(try listed().artifacts.count == 1)
    }

    @Test("ML-9: what is no file, and places where none can be")
    func refusals() throws {
        let id = try fixture.place()
        let missing = ModelLibraryInstallArtifact(
            sourceURL: sources.place("none.gguf"), role: .mmproj, relativePath: "p.gguf")
        #expect(throws: ModelLibraryError.sourceFileMissing(missing.sourceURL)) { try add(missing, to: id) }
        let folder = "\(id.uuidString)/folder.gguf"
        try fixture.folder.makeFolder(folder)
        let place = URL(fileURLWithPath: fixture.layout.root + "/" + folder, isDirectory: true)
        #expect(throws: ModelLibraryError.destinationExists(place)) {
            try add(try projector("folder.gguf"), to: id)
        }
        #expect(throws: FileFailure.self) { try add(try projector("p.gguf", place: "m-Q4_0.gguf/p.gguf"), to: id) }
        let outside = try ScratchFolder()
        try fixture.folder.link("\(id.uuidString)/out", to: outside.path)
        #expect(throws: FileFailure.self) { try add(try projector("q.gguf", place: "out/q.gguf"), to: id) }
        #expect(outside.names() == [])
        #expect(sources.names() == ["folder.gguf", "p.gguf", "q.gguf"])
        #expect(try listed().artifacts.count == 1)
    }

    @Test("a model that was deleted meanwhile does not come back")
    func deleted() throws {
        let id = try fixture.place()
        let model = try #require(fixture.scan().models.first)
        try fixture.folder.remove(id.uuidString)
        #expect(throws: ModelLibraryError.missingPrimaryArtifact) {
            try ProjectorInstaller(layout: fixture.layout, calls: SystemFileCalls())
                .install(try projector(), into: model)
        }
        #expect(fixture.scan().models.isEmpty)
        #expect(sources.names() == ["mmproj-m.gguf"])
    }

    @Test("a move to another volume is a copy, after which the source goes")
    func otherVolume() throws {
        let quiet = FaultyFileCalls()
        try add(try projector(), to: try fixture.place(), calls: quiet)
        let move = try #require(quiet.steps.firstIndex(of: "rename"))
        let id = try fixture.place()
        try add(try projector(), to: id, calls: FaultyFileCalls(.failure(step: move, code: EXDEV)))
        #expect(sources.names() == [])
        #expect(fixture.unloadable(fixture.scan()).isEmpty)
        #expect(fixture.scan().models.allSatisfy { $0.artifacts.count == 2 })
    }

    @Test("SC-6: a cancelled call leaves everything where it was", arguments: [true, false])
    func cancellation(copying: Bool) throws {
        let id = try fixture.place()
        #expect(throws: CancellationError.self) {
            try add(try projector(place: "s/p.gguf", copy: copying), to: id) { throw CancellationError() }
        }
        #expect(sources.names() == ["mmproj-m.gguf"])
        #expect(try listed().artifacts.count == 1)
        #expect(fixture.folder.names(id.uuidString) == ["m-Q4_0.gguf", "metadata.json"])
    }

    @Test("ML-8: the file and its name are on the disk before the description changes")
    func flushing() throws {
        let id = try fixture.place()
        let calls = FaultyFileCalls()
        try add(try projector(place: "s/p.gguf"), to: id, calls: calls)
        #expect(
            calls.steps.filter { ["rename", "synchronize"].contains($0) } == [
                // The file and the new description; then to the staging folder, into place, and the folders' names.
                "synchronize", "synchronize", "rename", "rename", "synchronize", "synchronize",
                // The description.
                "rename", "synchronize",
            ])
    }
}
