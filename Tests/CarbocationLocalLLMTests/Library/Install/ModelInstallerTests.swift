import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct ModelInstallerTests {
    private let fixture: LibraryFixture
    private let sources: ScratchFolder

    init() throws {
        fixture = try LibraryFixture()
        sources = try ScratchFolder()
    }

    private func artifact(
        _ name: String, _ role: InstalledModelArtifactRole = .primaryModel, place: String? = nil, size: Int64 = 0,
        copy: Bool = false
    ) -> ModelLibraryInstallArtifact {
        ModelLibraryInstallArtifact(
            sourceURL: sources.place(name), role: role, relativePath: place ?? name, sizeBytes: size, sha256: "ab",
            copySource: copy)
    }

    @discardableResult
    private func install(
        _ artifacts: [ModelLibraryInstallArtifact], calls: any FileCalls = SystemFileCalls(),
        probe: ModelContextLengthProbe? = nil, contextLength: Int = 0, quantization: String? = nil,
        checkpoint: () throws -> Void = {}
    ) throws -> InstalledModel {
        let request = InstallRequest(
            artifacts: artifacts, displayName: "Name", source: .customHF, hfRepo: "o/r", hfFilename: "x/m-Q6_K.gguf",
            contextLength: contextLength, quantization: quantization)
        return try ModelInstaller(layout: fixture.layout, calls: calls, probe: probe)
            .install(request, now: Date(timeIntervalSince1970: 1_000.5), checkpoint: checkpoint)
    }

    /// Nothing but an empty staging folder may be left.
    private func expectUntouchedRoot(_ comment: Comment? = nil) {
        #expect(fixture.folder.names().filter { $0 != ".staging" } == [], comment)
        if fixture.folder.names().contains(".staging"), fixture.folder.exists(".staging/.") {
            #expect(fixture.folder.names(".staging") == [], comment)
        }
    }

    @Test("ML-8, ML-9: files are moved, described and visible; sizes are looked up")
    func moving() throws {
        try sources.write(.model(), to: "m.gguf")
        try sources.write(.projector, to: "p.gguf")
        let model = try install([artifact("p.gguf", .mmproj, place: "sub/p.gguf"), artifact("m.gguf")])
        #expect(sources.names() == [])
        let findings = fixture.scan()
        #expect(findings.models == [model])
        #expect(fixture.unloadable(findings).isEmpty)
        #expect(model.artifacts.map(\.relativePath) == ["m.gguf", "sub/p.gguf"])
        #expect(model.sizeBytes == Int64(GGUFBuilder.model().data().count + GGUFBuilder.projector.data().count))
        #expect(model.filename == "m.gguf")
        #expect(model.sha256 == "ab")
        #expect(model.installedAt == Date(timeIntervalSince1970: 1_000))
        #expect(fixture.folder.names(".staging") == [])
    }

    @Test("ML-8: copied sources stay; files behind links stay too")
    func copying() throws {
        try sources.write(.model(), to: "m.gguf")
        try sources.link("link.gguf", to: "m.gguf")
        try install([artifact("m.gguf", copy: true)])
        try install([artifact("link.gguf")])
        #expect(sources.names() == ["link.gguf", "m.gguf"])
        #expect(fixture.scan().models.count == 2)
    }

    @Test("ML-10: an explicit context wins without a probe, then the header, then the probe, then 0")
    func context() throws {
        let asked = Locked(0)
        let probe: ModelContextLengthProbe = { _ in
            asked.withLock { $0 += 1 }
            return 777
        }
        try sources.write(.model(context: 512), to: "m.gguf")
        try sources.write(.model(context: nil), to: "silent.gguf")
        #expect(try install([artifact("m.gguf", copy: true)], probe: probe, contextLength: 9).contextLength == 9)
        #expect(try install([artifact("m.gguf", copy: true)], probe: probe).contextLength == 512)
        #expect(asked.withLock { $0 } == 0)
        #expect(try install([artifact("silent.gguf", copy: true)], probe: probe).contextLength == 777)
        #expect(try install([artifact("silent.gguf", copy: true)], probe: { _ in -4 }).contextLength == 0)
        #expect(try install([artifact("silent.gguf", copy: true)]).contextLength == 0)
    }

    @Test("GG-10: the quantization given, else the header's, else that of the name")
    func quantization() throws {
        try sources.write(.model([("general.file_type", .uint32(7))]), to: "m-Q4_0.gguf")
        try sources.write(.model(), to: "n-Q4_0.gguf")
        #expect(try install([artifact("m-Q4_0.gguf", copy: true)], quantization: "X").quantization == "X")
        #expect(try install([artifact("m-Q4_0.gguf", copy: true)]).quantization == "Q8_0")
        #expect(try install([artifact("n-Q4_0.gguf", copy: true)]).quantization == "Q6_K")
    }

    @Test("ML-9: a given size is listed, an impossible one is looked up")
    func sizes() throws {
        try sources.write(.model(), to: "m.gguf")
        #expect(try install([artifact("m.gguf", size: 5, copy: true)]).sizeBytes == 5)
        #expect(try install([artifact("m.gguf", size: .min, copy: true)]).sizeBytes > 5)
        let huge = [
            artifact("m.gguf", size: .max, copy: true), artifact("m.gguf", .mmproj, place: "p.gguf", size: .max),
        ]
        #expect(try install(huge).sizeBytes == .max)
    }

    @Test("ML-9: what cannot be installed is refused, and the root stays as it was")
    func refusals() throws {
        try sources.write(.model(), to: "m.gguf")
        try sources.write("<html>", to: "page.gguf")
        try sources.makeFolder("folder.gguf")
        let cases: [([ModelLibraryInstallArtifact], ModelLibraryError)] = [
            ([], .missingPrimaryArtifact),
            ([artifact("m.gguf", .mmproj)], .missingPrimaryArtifact),
            ([artifact("m.gguf", place: "m.bin")], .notAGGUF("m.bin")),
            ([artifact("page.gguf")], .notAGGUF("page.gguf")),
            ([artifact("none.gguf")], .sourceFileMissing(sources.place("none.gguf"))),
            ([artifact("folder.gguf")], .sourceFileMissing(sources.place("folder.gguf"))),
            ([artifact("m.gguf", place: "metadata.json")], .unsafeArtifactPath("metadata.json")),
            (
                [artifact("m.gguf"), artifact("m.gguf", .mmproj, place: "M.GGUF")], .unsafeArtifactPath("M.GGUF")
            ),
        ]
        for (artifacts, error) in cases {
            #expect(throws: error) { try install(artifacts) }
            expectUntouchedRoot()
        }
        #expect(sources.names() == ["folder.gguf", "m.gguf", "page.gguf"])
    }

    @Test(
        "ML-9: unsafe places",
        arguments: [
            "../m.gguf", "/tmp/m.gguf", "", "a/../../m.gguf", "a\\m.gguf", "m\u{0}.gguf", ".", "..", "a//m.gguf",
        ])
    func unsafePlaces(path: String) throws {
        try sources.write(.model(), to: "m.gguf")
        #expect(throws: ModelLibraryError.unsafeArtifactPath(path)) { try install([artifact("m.gguf", place: path)]) }
        #expect(throws: ModelLibraryError.unsafeArtifactPath(path)) {
            try install([artifact("m.gguf"), artifact("m.gguf", .mmproj, place: path)])
        }
        expectUntouchedRoot()
    }

    @Test("ML-9: the extension counts in any case", arguments: ["m.gguf", "m.GGUF", "m.GgUf"])
    func extensions(name: String) throws {
        try sources.write(.model(), to: "x")
        try install([artifact("x", place: name)])
        #expect(fixture.scan().models.map(\.filename) == [name])
    }

    @Test("F10, F11: parts that are missing or contradict the name are refused")
    func splits() throws {
        try sources.write(.part(1, of: 2), to: "m-00001-of-00002.gguf")
        try sources.write(.part(1, of: 3), to: "n-00001-of-00002.gguf")
        try sources.write(.part(2, of: 2), to: "other.gguf")
        #expect(throws: ModelLibraryError.sourceFileMissing(sources.place("m-00002-of-00002.gguf"))) {
            try install([artifact("m-00001-of-00002.gguf")])
        }
        let second = artifact("other.gguf", .splitModel, place: "n-00002-of-00002.gguf")
        #expect(throws: GGUFReaderError.self) { try install([artifact("n-00001-of-00002.gguf"), second]) }
        #expect(throws: GGUFReaderError.self) { try install([artifact("n-00001-of-00002.gguf", place: "n.gguf")]) }
        expectUntouchedRoot()
        try install([
            artifact("m-00001-of-00002.gguf"), artifact("other.gguf", .splitModel, place: "m-00002-of-00002.gguf"),
        ])
        #expect(fixture.unloadable(fixture.scan()).isEmpty)
        #expect(fixture.scan().damaged.isEmpty)
    }

    @Test("ML-8: a file in the place of the staging folder ends the install, and so does a link")
    func blockedStaging() throws {
        try sources.write(.model(), to: "m.gguf")
        try fixture.folder.write("x", to: ".staging")
        #expect(throws: FileFailure.self) { try install([artifact("m.gguf")]) }
        #expect(fixture.folder.names() == [".staging"])
        try fixture.folder.remove(".staging")
        let outside = try ScratchFolder()
        try fixture.folder.link(".staging", to: outside.path)
        #expect(throws: FileFailure.self) { try install([artifact("m.gguf")]) }
        #expect(outside.names() == [])
        #expect(sources.exists("m.gguf"))
    }

    @Test("a taken place is not replaced")
    func takenPlace() throws {
        try sources.write(.model(), to: "m.gguf")
        let id = UUID()
        try fixture.folder.makeFolder(id.uuidString)
        let request = InstallRequest(artifacts: [artifact("m.gguf")], displayName: "x", source: .imported)
        #expect(
            throws: ModelLibraryError.destinationExists(
                fixture.root.appendingPathComponent(id.uuidString, isDirectory: true))
        ) {
            try ModelInstaller(layout: fixture.layout, calls: SystemFileCalls(), probe: nil)
                .install(request, id: id, now: Date())
        }
        #expect(sources.exists("m.gguf"))
    }

    @Test("SC-6: a cancelled install leaves everything where it was")
    func cancellation() throws {
        try sources.write(.model(), to: "m.gguf")
        try sources.write(Data(count: 3_000_000), to: "p.gguf")
        var checks = 0
        #expect(throws: CancellationError.self) {
            try install(
                [artifact("m.gguf"), artifact("p.gguf", .mmproj, copy: true)],
                checkpoint: {
                    checks += 1
                    if checks == 3 { throw CancellationError() }
                })
        }
        #expect(sources.names() == ["m.gguf", "p.gguf"])
        expectUntouchedRoot()
    }

    @Test("a move to another volume is a copy, after which the source goes")
    func otherVolume() throws {
        try sources.write(.model(), to: "m.gguf")
        let quiet = FaultyFileCalls()
        try install([artifact("m.gguf", copy: false)], calls: quiet)
        let move = try #require(quiet.steps.firstIndex(of: "rename"))
        try sources.write(.model(), to: "m.gguf")
        let calls = FaultyFileCalls(.failure(step: move, code: EXDEV))
        try install([artifact("m.gguf", copy: false)], calls: calls)
        #expect(sources.names() == [])
        #expect(fixture.unloadable(fixture.scan()).isEmpty)
        #expect(fixture.scan().models.count == 2)
    }

    @Test("ML-8: everything is on the disk before it becomes visible")
    func flushing() throws {
        try sources.write(.model(), to: "m.gguf")
        let calls = FaultyFileCalls()
        try install([artifact("m.gguf", place: "sub/m.gguf")], calls: calls)
        let renames = calls.steps.indices.filter { calls.steps[$0] == "rename" }
        let last = try #require(renames.last)
        // Description, weights, the folder inside and the staging folder.
        #expect(calls.steps[..<last].filter { $0 == "synchronize" }.count == 4)
        #expect(calls.steps[last...] == ["rename", "synchronize"])
    }

    @Test("ML-8: old leftovers go, young ones stay, deleted models go at once")
    func leftovers() throws {
        try sources.write(.model(), to: "m.gguf")
        try fixture.folder.write("x", to: ".staging/old/m.gguf")
        try fixture.folder.write("x", to: ".staging/young/m.gguf")
        try fixture.folder.write("x", to: ".staging/X-deleted-1/m.gguf")
        try fixture.folder.setModified(".staging/old", Date(timeIntervalSince1970: -100_000))
        try fixture.folder.setModified(".staging/young", Date(timeIntervalSince1970: -80_000))
        try install([artifact("m.gguf")])
        #expect(fixture.folder.names(".staging") == ["young"])
    }
}
