import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct ManagedFolderTests {
    private let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private func reason(_ id: UUID) -> DamagedInstalledModel.Reason? {
        fixture.scan().damaged.first { $0.id == id }?.reason
    }

    @Test("a sound folder is listed with what its header adds")
    func sound() throws {
        let id = try fixture.place(
            file: "sub/folder/m-Q4_0.gguf",
            weights: .model(context: 4_096, [("general.sampling.temp", .float32(0.5))])
        ) {
            $0["contextLength"] = nil
            $0["quantization"] = nil
        }
        let findings = fixture.scan()
        let model = try #require(findings.models.first)
        #expect(findings.damaged.isEmpty)
        #expect(model.id == id)
        #expect(model.contextLength == 4_096)
        #expect(model.quantization == "Q4_0")
        #expect(model.samplingDefaults == LLMSamplingDefaults(temperature: 0.5))
        #expect(
            model.weightsURL(in: fixture.root).path
                == fixture.folder.place("\(id.uuidString)/sub/folder/m-Q4_0.gguf").path)
    }

    @Test("ML-5: undecodable descriptions", arguments: ["", "{", "[]", "{}", #"{"id":7}"#, "\u{FEFF}"])
    func unreadable(text: String) throws {
        let id = try fixture.place()
        try fixture.folder.write(text, to: "\(id.uuidString)/metadata.json")
        #expect(reason(id) == .unreadableMetadata)
    }

    @Test("ML-5: the id of another model")
    func mismatch() throws {
        let id = try fixture.place(name: "Nice") { $0["id"] = .string(UUID().uuidString) }
        #expect(reason(id) == .identifierMismatch)
        #expect(fixture.scan().damaged.first?.displayName == "Nice")
    }

    @Test(
        "ML-5: unsafe paths of artifacts",
        arguments: [
            "../x.gguf", "/etc/passwd", "", "a/../../x.gguf", "a\\x.gguf", "a//x.gguf", "./x.gguf", "x\u{0}.gguf", "..",
        ])
    func unsafeArtifacts(path: String) throws {
        let id = try fixture.place { object in
            object["artifacts"] = [["role": "primaryModel", "relativePath": .string(path), "sizeBytes": 1]]
        }
        #expect(reason(id) == .unsafePath(path))
        let projector = try fixture.place { object in
            let own = object["artifacts"]?.arrayValue ?? []
            object["artifacts"] = .array(own + [["role": "mmproj", "relativePath": .string(path), "sizeBytes": 1]])
        }
        #expect(reason(projector) == .unsafePath(path))
    }

    @Test("ML-5: an unsafe file name, with and without artifacts")
    func unsafeFilename() throws {
        let bare = try fixture.place {
            $0["filename"] = "../x.gguf"
            $0["artifacts"] = nil
        }
        let full = try fixture.place { $0["filename"] = "../x.gguf" }
        #expect(reason(bare) == .unsafePath("../x.gguf"))
        #expect(reason(full) == .unsafePath("../x.gguf"))
    }

    @Test("ML-5: links that leave the folder; links inside it are fine")
    func links() throws {
        try fixture.folder.write(.model(), to: "outside/m.gguf")
        let leaving = try fixture.place()
        try fixture.folder.remove("\(leaving.uuidString)/m-Q4_0.gguf")
        try fixture.folder.link("\(leaving.uuidString)/m-Q4_0.gguf", to: "../outside/m.gguf")
        #expect(reason(leaving) == .unsafePath("m-Q4_0.gguf"))

        let throughFolder = try fixture.place(file: "sub/m.gguf")
        try fixture.folder.remove("\(throughFolder.uuidString)/sub")
        try fixture.folder.link("\(throughFolder.uuidString)/sub", to: fixture.folder.path + "/outside")
        #expect(reason(throughFolder) == .unsafePath("sub/m.gguf"))

        let inside = try fixture.place()
        try fixture.folder.write(.model(), to: "\(inside.uuidString)/real/w.gguf")
        try fixture.folder.remove("\(inside.uuidString)/m-Q4_0.gguf")
        try fixture.folder.link("\(inside.uuidString)/m-Q4_0.gguf", to: "real/w.gguf")
        #expect(fixture.scan().models.map(\.id) == [inside])
    }

    @Test("ML-5: a folder that is a link is not entered")
    func linkedFolder() throws {
        let id = UUID()
        let other = try ScratchFolder()
        try other.write(.model(), to: "m.gguf")
        try fixture.folder.link(id.uuidString, to: other.path)
        #expect(reason(id) == .unsafePath(id.uuidString))
    }

    @Test("ML-5: missing weights, weights that are a folder or dangle, and descriptions that are links")
    func missingWeights() throws {
        let gone = try fixture.place()
        try fixture.folder.remove("\(gone.uuidString)/m-Q4_0.gguf")
        let directory = try fixture.place()
        try fixture.folder.remove("\(directory.uuidString)/m-Q4_0.gguf")
        try fixture.folder.makeFolder("\(directory.uuidString)/m-Q4_0.gguf")
        let dangling = try fixture.place()
        try fixture.folder.remove("\(dangling.uuidString)/m-Q4_0.gguf")
        try fixture.folder.link("\(dangling.uuidString)/m-Q4_0.gguf", to: "nowhere")
        for id in [gone, directory, dangling] { #expect(reason(id) == .missingWeights("m-Q4_0.gguf")) }
        let linked = try fixture.place()
        let metadata = "\(linked.uuidString)/metadata.json"
        try fixture.folder.write(try fixture.folder.data(metadata), to: "copy.json")
        try fixture.folder.remove(metadata)
        try fixture.folder.link(metadata, to: "../copy.json")
        #expect(reason(linked) == .unreadableMetadata)
    }

    @Test("ML-5: weights without the mark of the format", arguments: ["", "GGU", "<!DOCTYPE html>", "ggufxxxx"])
    func notGGUF(text: String) throws {
        let id = try fixture.place()
        try fixture.folder.write(text, to: "\(id.uuidString)/m-Q4_0.gguf")
        #expect(reason(id) == .notAModelFile("m-Q4_0.gguf"))
    }

    @Test(
        "F02, F03, F08: damaged headers neither end the process nor hide the model's folder",
        arguments: [
            GGUFBuilder.model([("a", .hugeArray(type: 0, count: 1 << 63, payload: []))]),
            GGUFBuilder.model([("a", .nested(depth: 100))]), GGUFBuilder.model([("a", .raw(type: 99, payload: [0]))]),
            GGUFBuilder(version: 99), GGUFBuilder.model([("a", .hugeString(length: .max, payload: []))]),
        ])
    func hostileHeaders(builder: GGUFBuilder) throws {
        let id = try fixture.place(weights: builder)
        #expect(fixture.scan().models.map(\.id) == [id])
    }

    @Test("ML-5, F10: a missing part is named")
    func missingPart() throws {
        let id = try fixture.place(file: "d/m-00001-of-00003.gguf", weights: .part(1, of: 3))
        try fixture.folder.write(.part(3, of: 3), to: "\(id.uuidString)/d/m-00003-of-00003.gguf")
        #expect(reason(id) == .incompleteSplit(missing: ["d/m-00002-of-00003.gguf"]))
        try fixture.folder.write(.part(2, of: 3), to: "\(id.uuidString)/d/m-00002-of-00003.gguf")
        #expect(fixture.scan().models.map(\.id) == [id])
    }

    @Test("a name that announces 99,999 parts costs one listing, and the answer stays short")
    func manyParts() throws {
        let id = try fixture.place(file: "m-00001-of-99999.gguf", weights: .part(1, of: 3))
        guard case .incompleteSplit(let missing) = reason(id) else {
            Issue.record("not reported")
            return
        }
        #expect(missing.count == 100)
        #expect(missing.first == "m-00002-of-99999.gguf")
    }

    @Test("a part under a name that hides it cannot be loaded")
    func renamedPart() throws {
        let id = try fixture.place(weights: .part(1, of: 2))
        #expect(reason(id) == .incompleteSplit(missing: []))
    }

    @Test("a projector that is gone is not listed; the model is")
    func missingProjector() throws {
        let id = try fixture.place { object in
            let own = object["artifacts"]?.arrayValue ?? []
            object["artifacts"] = .array(
                own + [
                    ["role": "mmproj", "relativePath": "gone.gguf", "sizeBytes": 1],
                    ["role": "mmproj", "relativePath": "there.gguf", "sizeBytes": 1],
                ])
        }
        try fixture.folder.write(.projector, to: "\(id.uuidString)/there.gguf")
        #expect(fixture.scan().models.first?.artifacts.map(\.relativePath) == ["m-Q4_0.gguf", "there.gguf"])
    }

    @Test("ML-4: an external location in a managed folder is not honoured")
    func storageLocation() throws {
        let id = try fixture.place {
            $0["storageLocation"] = ["kind": "external", "directoryPath": "/etc"]
        }
        let model = try #require(fixture.scan().models.first)
        #expect(model.id == id)
        #expect(!model.isReadOnly)
    }

    @Test("L04: one bad folder never takes others with it")
    func mixture() throws {
        let sound = try fixture.place()
        let noWeights = try fixture.place()
        try fixture.folder.remove("\(noWeights.uuidString)/m-Q4_0.gguf")
        let orphan = UUID()
        try fixture.folder.write(.model(), to: "\(orphan.uuidString)/Orphan-Q5_K_M.gguf")
        let broken = try fixture.place()
        try fixture.folder.write("{", to: "\(broken.uuidString)/metadata.json")
        let findings = fixture.scan()
        #expect(Set(findings.models.map(\.id)) == [sound, orphan])
        #expect(Set(findings.damaged.map(\.id)) == [noWeights, broken])
        #expect(findings.damaged.allSatisfy { $0.directory.lastPathComponent == $0.id.uuidString })
    }

    @Test("a folder in lower case is not where its id leads, unless the file system says so")
    func lowerCase() throws {
        let id = try fixture.place()
        let name = id.uuidString.lowercased()
        try FileManager.default.moveItem(
            at: fixture.folder.place(id.uuidString), to: fixture.folder.place(name))
        let findings = fixture.scan()
        if fixture.folder.exists(id.uuidString) {
            #expect(findings.models.map(\.id) == [id])
        } else {
            #expect(findings.damaged.map(\.reason) == [.identifierMismatch])
            #expect(findings.damaged.first?.directory.lastPathComponent == name)
        }
    }

    @Test(
        "ML-2: other names in the root are no models",
        arguments: [
            ".staging/6F9619FF-8B86-D011-B42D-00C04FC964FF-staged", ".partials/6F9619FF-8B86-D011-B42D-00C04FC964FF",
            "models", "6F9619FF", ".index",
        ])
    func otherFolders(name: String) throws {
        try fixture.folder.write(.model(), to: "\(name)/m.gguf")
        let findings = fixture.scan()
        #expect(findings.models.isEmpty)
        #expect(findings.damaged.isEmpty)
    }

    @Test("a file with the name of a model folder is none")
    func fileInPlace() throws {
        try fixture.folder.write("x", to: UUID().uuidString)
        #expect(fixture.scan().damaged.isEmpty)
    }
}
