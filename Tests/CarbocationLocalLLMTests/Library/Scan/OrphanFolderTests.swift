import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct OrphanFolderTests {
    private let fixture: LibraryFixture
    private let id = UUID()

    init() throws { fixture = try LibraryFixture() }

    private func add(_ builder: GGUFBuilder, _ name: String) throws {
        try fixture.folder.write(builder, to: "\(id.uuidString)/\(name)")
    }

    @Test("ML-6: a folder with one GGUF is a model, and nothing is written")
    func orphan() throws {
        try add(.model(context: 8_192), "Orphan-Q5_K_M.gguf")
        let model = try #require(fixture.scan().models.first)
        #expect(model.id == id)
        #expect(model.displayName == "Orphan-Q5_K_M")
        #expect(model.quantization == "Q5_K_M")
        #expect(model.contextLength == 8_192)
        #expect(model.source == .imported)
        #expect(model.sizeBytes == Int64(GGUFBuilder.model(context: 8_192).data().count))
        #expect(fixture.folder.names(id.uuidString) == ["Orphan-Q5_K_M.gguf"])
    }

    @Test("ML-6, ML-17: a projector beside it belongs to it; a complete split is one model")
    func companions() throws {
        for part in 1...2 { try add(.part(part, of: 2), "m-0000\(part)-of-00002.gguf") }
        try add(.projector, "mmproj-F16.gguf")
        let model = try #require(fixture.scan().models.first)
        #expect(model.artifacts.map(\.role) == [.primaryModel, .splitModel, .mmproj])
        #expect(model.displayName == "m")
    }

    @Test("folders that hold no or several models are damaged, with the best reason there is")
    func damaged() throws {
        try fixture.folder.makeFolder(id.uuidString)
        #expect(fixture.scan().damaged.map(\.reason) == [.unreadableMetadata])
        try fixture.folder.write("<html>", to: "\(id.uuidString)/a.gguf")
        #expect(fixture.scan().damaged.map(\.reason) == [.notAModelFile("a.gguf")])
        try add(.model(), "b.gguf")
        #expect(fixture.scan().models.map(\.filename) == ["b.gguf"])
        try add(.model(), "c.gguf")
        #expect(fixture.scan().damaged.map(\.reason) == [.unreadableMetadata])
    }

    @Test("an incomplete split is damaged and says what is missing")
    func incomplete() throws {
        try add(.part(1, of: 3), "m-00001-of-00003.gguf")
        #expect(
            fixture.scan().damaged.map(\.reason)
                == [.incompleteSplit(missing: ["m-00002-of-00003.gguf", "m-00003-of-00003.gguf"])])
    }

    @Test("links in an orphan's folder are not followed")
    func links() throws {
        try fixture.folder.write(.model(), to: "outside.gguf")
        try fixture.folder.link("\(id.uuidString)/m.gguf", to: "../outside.gguf")
        #expect(fixture.scan().models.isEmpty)
    }
}
