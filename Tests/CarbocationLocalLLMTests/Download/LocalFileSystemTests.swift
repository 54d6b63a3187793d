import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("LocalFileSystem")
struct LocalFileSystemTests {
    private let folder = DownloadFolder()
    private let fileSystem = LocalFileSystem()

    @Test("bytes are written and read at their offsets")
    func bytes() throws {
        let file = try fileSystem.openFile(folder.url("x"))
        try file.truncate(to: 10)
        try Array("cde".utf8).withUnsafeBytes { try file.write($0, at: 2) }
        try file.flush()
        var buffer = [UInt8](repeating: 1, count: 20)
        let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        #expect(count == 10)
        #expect(Array(buffer.prefix(10)) == [0, 0] + Array("cde".utf8) + [0, 0, 0, 0, 0])
        #expect(try fileSystem.size(of: folder.url("x")) == 10)
        #expect(try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 100) } == 0)
    }

    @Test("what is absent is nil, no error; what is a folder or a link is no file")
    func absent() throws {
        #expect(try fileSystem.size(of: folder.url("none")) == nil)
        #expect(try fileSystem.size(of: folder.url("none/none")) == nil)
        #expect(try fileSystem.contents(of: folder.url("none"), limit: 10) == nil)
        #expect(try fileSystem.names(in: folder.url("none")) == [])
        try fileSystem.remove(folder.url("none"))
        try fileSystem.createFolder(folder.url("d"))
        #expect(try fileSystem.size(of: folder.url("d")) == nil)
        try FileManager.default.createSymbolicLink(at: folder.url("l"), withDestinationURL: folder.url("outside"))
        #expect(try fileSystem.size(of: folder.url("l")) == nil)
    }

    @Test("links are not followed, so nothing outside the folder is written")
    func links() throws {
        let outside = folder.url("outside")
        try Data("precious".utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(at: folder.url("l"), withDestinationURL: outside)
        #expect(throws: FileSystemFailure.self) { try fileSystem.openFile(folder.url("l")) }
        #expect(throws: FileSystemFailure.self) { try fileSystem.write(Data("x".utf8), to: folder.url("l")) }
        #expect(throws: FileSystemFailure.self) { _ = try fileSystem.tryLock(folder.url("l")) }
        #expect(try Data(contentsOf: outside) == Data("precious".utf8))
    }

    @Test("small files as a whole")
    func contents() throws {
        try fileSystem.write(Data("first, longer".utf8), to: folder.url("x"))
        try fileSystem.write(Data("second".utf8), to: folder.url("x"))
        #expect(try fileSystem.contents(of: folder.url("x"), limit: 6) == Data("second".utf8))
        #expect(try fileSystem.contents(of: folder.url("x"), limit: 5) == nil)
        try fileSystem.write(Data(), to: folder.url("x"))
        #expect(try fileSystem.contents(of: folder.url("x"), limit: 5) == Data())
    }

    @Test("names are given and taken")
    func names() throws {
        try fileSystem.write(Data("a".utf8), to: folder.url("a"))
        try fileSystem.write(Data("b".utf8), to: folder.url("b"))
        try fileSystem.move(folder.url("a"), to: folder.url("b"))
        #expect(try fileSystem.names(in: folder.url) == ["b"])
        try fileSystem.link(folder.url("b"), to: folder.url("c"))
        #expect(throws: FileSystemFailure.self) { try fileSystem.link(folder.url("b"), to: folder.url("c")) }
        #expect(try fileSystem.identity(of: folder.url("b")) == fileSystem.identity(of: folder.url("c")))
        #expect(try fileSystem.identity(of: folder.url("none")) == nil)
        try fileSystem.remove(folder.url("b"))
        #expect(try Data(contentsOf: folder.url("c")) == Data("a".utf8))
        try fileSystem.syncFolder(folder.url)
    }

    @Test("failures say what was to be done to which file, and why")
    func failures() throws {
        let failure = try #require(throws: FileSystemFailure.self) {
            try fileSystem.move(folder.url("none"), to: folder.url("x"))
        }
        #expect(failure.code == ENOENT)
        #expect(failure.reason.hasPrefix("rename none: "))
        try fileSystem.write(Data(), to: folder.url("file"))
        #expect(throws: FileSystemFailure.self) { try fileSystem.createFolder(folder.url("file")) }
        #expect(throws: FileSystemFailure.self) { try fileSystem.createFolder(folder.url("file/below")) }
        #expect(throws: FileSystemFailure.self) { try fileSystem.openFile(folder.url) }
    }

    @Test("the space of a volume")
    func space() throws {
        #expect(try #require(fileSystem.availableBytes(at: folder.url)) > 0)
        #expect(fileSystem.availableBytes(at: folder.url("none")) == nil)
    }
}
