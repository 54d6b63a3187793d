import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct LibraryScannerTests {
    private func scanner(_ fixture: LibraryFixture, _ calls: any FileCalls) -> LibraryScanner {
        LibraryScanner(layout: fixture.layout, configuration: .managedOnly, calls: calls)
    }

    @Test("ML-14: a second scan of an unchanged tree opens nothing, and a changed file is read again")
    func incremental() throws {
        let fixture = try LibraryFixture()
        let ids = try (0..<300).map { try fixture.place(name: "M\($0)", file: "m\($0).gguf") }
        let calls = FaultyFileCalls()
        let first = scanner(fixture, calls).scan(known: LibraryIndex())
        #expect(first.models.count == 300)
        #expect(calls.openedModels.count == 300)
        calls.reset()
        let second = scanner(fixture, calls).scan(known: first.index)
        #expect(calls.openedModels.isEmpty)
        #expect(calls.openedFiles.isEmpty)
        #expect(second.index.holdsTheSame(as: first.index))
        #expect(Set(second.models) == Set(first.models))

        try fixture.folder.write(.model(context: 64), to: "\(ids[7].uuidString)/m7.gguf")
        try fixture.folder.setModified("\(ids[7].uuidString)/m7.gguf", Date(timeIntervalSince1970: 99))
        try fixture.writeMetadata(["id": .string(ids[9].uuidString), "filename": "m9.gguf"], ids[9])
        let third = scanner(fixture, calls).scan(known: second.index)
        #expect(calls.openedModels == ["m7.gguf"])
        #expect(calls.openedFiles == ["metadata.json"])
        #expect(third.models.first { $0.id == ids[9] }?.displayName == "m9")
    }

    @Test("ML-14: an index from the file spares another process all opening")
    func acrossProcesses() throws {
        let fixture = try LibraryFixture()
        for _ in 0..<5 { try fixture.place() }
        let first = fixture.scan()
        let file = IndexFile(layout: fixture.layout, calls: SystemFileCalls())
        file.write(first.index)
        let calls = FaultyFileCalls()
        let second = scanner(fixture, calls).scan(known: file.read())
        #expect(calls.openedModels.isEmpty)
        #expect(Set(second.models) == Set(first.models))
    }

    @Test("entries of folders that are gone leave the index, and weights that go away are noticed")
    func removals() throws {
        let fixture = try LibraryFixture()
        let (kept, gone, hollow) = (try fixture.place(), try fixture.place(), try fixture.place())
        let first = fixture.scan()
        try fixture.folder.remove(gone.uuidString)
        try fixture.folder.remove("\(hollow.uuidString)/m-Q4_0.gguf")
        let second = scanner(fixture, SystemFileCalls()).scan(known: first.index)
        #expect(second.models.map(\.id) == [kept])
        #expect(second.damaged.map(\.reason) == [.missingWeights("m-Q4_0.gguf")])
        #expect(Array(second.index.folders.keys) == [kept.uuidString])
    }

    @Test("a root that does not exist holds nothing")
    func noRoot() {
        let scanner = LibraryScanner(
            layout: LibraryLayout(root: URL(fileURLWithPath: "/nonexistent/root")), configuration: .managedOnly,
            calls: SystemFileCalls())
        #expect(scanner.scan(known: LibraryIndex()).models.isEmpty)
    }

    @Test("without managed models only those of other programs are listed")
    func externalOnly() throws {
        let fixture = try LibraryFixture()
        try fixture.place()
        let studio = try ScratchFolder()
        try studio.write(.model(), to: "p/r/x.gguf")
        let search = ModelLibrarySearchConfiguration(
            includesManagedModels: false, externalLMStudioModelDirectories: [studio.url])
        #expect(fixture.scan(search: search).models.map(\.displayName) == ["x"])
    }
}
