import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct ModelDeletionTests {
    private let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private func delete(_ id: UUID) throws {
        try ModelDeletion(layout: fixture.layout, calls: SystemFileCalls())
            .delete(folder: id.uuidString, id: id, now: Date())
    }

    @Test("ML-12: a folder goes with all it holds; an unknown one is none to delete")
    func deleting() throws {
        let id = try fixture.place(file: "a/b/m.gguf")
        let other = try fixture.place()
        try delete(id)
        try delete(id)
        #expect(fixture.folder.names() == [".staging", other.uuidString])
        #expect(fixture.folder.names(".staging") == [])
    }

    @Test("links are removed, not what they lead to")
    func links() throws {
        let outside = try ScratchFolder()
        try outside.write("x", to: "file")
        let id = try fixture.place()
        try fixture.folder.link("\(id.uuidString)/link", to: outside.path)
        let linked = UUID()
        try fixture.folder.link(linked.uuidString, to: outside.path)
        try delete(id)
        try delete(linked)
        #expect(outside.names() == ["file"])
        #expect(fixture.folder.names() == [".staging"])
    }

    @Test("a staging folder that leads elsewhere is not used")
    func linkedStaging() throws {
        let outside = try ScratchFolder()
        try outside.write("x", to: "X-deleted-1")
        let id = try fixture.place()
        try fixture.folder.link(".staging", to: outside.path)
        #expect(throws: FileFailure.self) { try delete(id) }
        StagingArea(layout: fixture.layout, calls: SystemFileCalls()).removeAbandoned(now: .distantFuture)
        #expect(fixture.scan().models.map(\.id) == [id])
        #expect(outside.names() == ["X-deleted-1"])
    }
}

@Suite struct MetadataUpdateTests {
    private let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private func update(_ id: UUID, to length: Int) throws {
        let model = try #require(fixture.scan().models.first { $0.id == id })
        try MetadataUpdate(layout: fixture.layout, calls: SystemFileCalls()).setContextLength(length, of: model)
    }

    @Test("what the description says besides stays, known or not")
    func unknownKeys() throws {
        let id = try fixture.place { $0["futureKey"] = ["a": 1] }
        let before = try fixture.metadata(id)
        try update(id, to: 64)
        var expected = before
        expected?["contextLength"] = 64
        #expect(try fixture.metadata(id) == expected)
        #expect(fixture.folder.names(".staging") == [])
    }

    @Test("an orphan gets a description")
    func orphan() throws {
        let id = UUID()
        try fixture.folder.write(.model(), to: "\(id.uuidString)/m.gguf")
        try update(id, to: 64)
        #expect(fixture.scan().models.map(\.contextLength) == [64])
        #expect(try fixture.metadata(id)?["filename"] == "m.gguf")
    }

    @Test("a model that was deleted meanwhile does not come back")
    func deleted() throws {
        let id = try fixture.place(name: "Gone")
        let model = try #require(fixture.scan().models.first)
        try fixture.folder.remove(id.uuidString)
        #expect(throws: ModelLibraryError.metadataWriteFailed("Gone")) {
            try MetadataUpdate(layout: fixture.layout, calls: SystemFileCalls()).setContextLength(1, of: model)
        }
        #expect(!fixture.folder.exists(id.uuidString))
        #expect(fixture.folder.names(".staging") == [])
    }
}
