import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct IndexFileTests {
    @Test("ML-14: an index is replaced whole or not at all, wherever writing ends")
    func ends() throws {
        for step in 0..<4 {
            for fault in [
                FaultyFileCalls.Fault.end(step: step), .endWithin(step: step), .failure(step: step, code: EIO),
            ] {
                let fixture = try LibraryFixture()
                try fixture.place()
                let before = fixture.scan().index
                IndexFile(layout: fixture.layout, calls: SystemFileCalls()).write(before)
                var after = before
                after.files["/new"] = LibraryIndex.File(
                    stamp: FileStamp(size: 1, modified: ModificationTime()), header: .foreign)
                IndexFile(layout: fixture.layout, calls: FaultyFileCalls(fault)).write(after)
                let read = IndexFile(layout: fixture.layout, calls: SystemFileCalls()).read()
                #expect(read.folders.count == 1)
                #expect([before.files, after.files].contains(read.files))
                #expect(fixture.scan().models.count == 1)
            }
        }
    }

    @Test("files that a process left while writing are removed when they are old")
    func abandoned() throws {
        let fixture = try LibraryFixture()
        try fixture.folder.write("x", to: ".index-old")
        try fixture.folder.write("x", to: ".index-new")
        try fixture.folder.write("x", to: "index-other")
        try fixture.folder.setModified(".index-old", Date(timeIntervalSinceNow: -7_200))
        let file = IndexFile(layout: fixture.layout, calls: SystemFileCalls())
        file.removeAbandoned(try SystemFileCalls().entries(of: fixture.layout.root), now: Date())
        #expect(fixture.folder.names() == [".index-new", "index-other"])
    }

    @Test("ML-14: garbage, links and huge files in the place of the index are ignored and replaced")
    func garbage() throws {
        let fixture = try LibraryFixture()
        try fixture.place()
        let file = IndexFile(layout: fixture.layout, calls: SystemFileCalls())
        try fixture.folder.write(String(repeating: "CLLMINDX", count: 100), to: ".index")
        #expect(file.read().folders.isEmpty)
        file.write(fixture.scan().index)
        #expect(file.read().folders.count == 1)
        try fixture.folder.remove(".index")
        try fixture.folder.write("secret", to: "elsewhere")
        try fixture.folder.link(".index", to: "elsewhere")
        #expect(file.read().folders.isEmpty)
        file.write(fixture.scan().index)
        #expect(try fixture.folder.data("elsewhere") == Data("secret".utf8))
        #expect(file.read().folders.count == 1)
    }
}
