import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct FileCallsTests {
    private let calls = SystemFileCalls()

    @Test("statuses tell kinds, sizes and times, with and without links")
    func statuses() throws {
        let folder = try ScratchFolder()
        try folder.write("12345", to: "file")
        try folder.setModified("file", Date(timeIntervalSince1970: 1_000))
        try folder.link("link", to: "file")
        let file = try calls.status(of: folder.path + "/file", followingLinks: false)
        #expect(file.kind == .regular)
        #expect(file.size == 5)
        #expect(file.modified == ModificationTime(seconds: 1_000))
        #expect(try calls.status(of: folder.path + "/link", followingLinks: false).kind == .link)
        #expect(try calls.status(of: folder.path + "/link", followingLinks: true) == file)
        #expect(try calls.status(of: folder.path, followingLinks: false).kind == .directory)
        #expect(try calls.statusIfPresent(of: folder.path + "/none", followingLinks: false) == nil)
        #expect(try calls.statusIfPresent(of: folder.path + "/file/none", followingLinks: false) == nil)
    }

    @Test("a listing has all names but the two that every folder has")
    func listing() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: ".hidden")
        try folder.makeFolder("sub")
        try folder.link("link", to: "nowhere")
        let entries = try calls.entries(of: folder.path).sorted { $0.name < $1.name }
        #expect(entries.map(\.name) == [".hidden", "link", "sub"])
        #expect(entries.map(\.kind) == [.regular, .link, .directory])
    }

    @Test("small files are read whole; links, folders and files over the limit are refused")
    func contents() throws {
        let folder = try ScratchFolder()
        try folder.write("hello", to: "file")
        try folder.write("", to: "empty")
        try folder.link("link", to: "file")
        #expect(try calls.contents(of: folder.path + "/file", limit: 5).bytes == Array("hello".utf8))
        #expect(try calls.contents(of: folder.path + "/empty", limit: 5).bytes == [])
        for name in ["link", "none", "."] {
            #expect(throws: FileFailure.self) { try calls.contents(of: folder.path + "/" + name, limit: 5) }
        }
        #expect(throws: FileFailure.self) { try calls.contents(of: folder.path + "/file", limit: 4) }
    }

    @Test("a file of terabytes is refused by its size, before memory is asked for")
    func hugeFile() throws {
        let folder = try ScratchFolder()
        let url = try folder.write("", to: "sparse")
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 1 << 42)
        try handle.close()
        #expect(throws: FileFailure.self) { try calls.contents(of: url.path, limit: 1 << 20) }
    }

    @Test("a named pipe neither blocks nor is read")
    func namedPipe() throws {
        let folder = try ScratchFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(throws: FileFailure.self) { try calls.contents(of: folder.path + "/pipe", limit: 5) }
    }

    @Test("a new file never replaces one, and never goes through a link")
    func newFiles() throws {
        let folder = try ScratchFolder()
        try calls.writeFile(folder.path + "/new", [1, 2, 3])
        #expect(try folder.data("new") == Data([1, 2, 3]))
        #expect(throws: FileFailure.self) { try calls.writeFile(folder.path + "/new", [4]) }
        try folder.link("link", to: folder.path + "/target")
        #expect(throws: FileFailure.self) { try calls.writeFile(folder.path + "/link", [4]) }
        #expect(!folder.exists("target"))
    }

    @Test("a copy has all bytes and stops when told to")
    func copying() throws {
        let folder = try ScratchFolder()
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try folder.write(bytes, to: "source")
        try calls.copyFile(folder.path + "/source", to: folder.path + "/copy")
        #expect(try folder.data("copy") == bytes)
        var checks = 0
        #expect(throws: CancellationError.self) {
            try calls.copyFile(folder.path + "/source", to: folder.path + "/stopped") {
                checks += 1
                if checks == 2 { throw CancellationError() }
            }
        }
        #expect(try folder.data("stopped").count < bytes.count)
    }

    @Test("removing a tree removes links instead of what they lead to")
    func removal() throws {
        let folder = try ScratchFolder()
        try folder.write("kept", to: "outside/file")
        try folder.write("x", to: "tree/a/b/c/file")
        try folder.link("tree/a/link", to: folder.path + "/outside")
        try folder.link("tree/file-link", to: folder.path + "/outside/file")
        try calls.removeTree(folder.path + "/tree")
        #expect(folder.names() == ["outside"])
        #expect(folder.names("outside") == ["file"])
        try calls.removeTree(folder.path + "/tree")
    }

    @Test("removing goes on after a failure and reports the first")
    func stubbornRemoval() throws {
        let folder = try ScratchFolder()
        for name in ["a", "b", "c"] { try folder.write("x", to: "tree/\(name)") }
        let faulty = FaultyFileCalls(.failure(step: 1, code: EACCES))
        #expect(throws: FileFailure.self) { try faulty.removeTree(folder.path + "/tree") }
        #expect(folder.names("tree").count == 1)
    }

    @Test("a folder that is a link or a file is not taken for one that was made")
    func folders() throws {
        let folder = try ScratchFolder()
        try calls.ensureDirectories(folder.path + "/a/b/c")
        try calls.ensureDirectory(folder.path + "/a/b/c")
        #expect(calls.isDirectory(folder.path + "/a/b/c"))
        try folder.link("link", to: "a")
        try folder.write("", to: "file")
        for name in ["link", "file"] {
            #expect(throws: FileFailure.self) { try calls.ensureDirectory(folder.path + "/" + name) }
        }
        #expect(throws: FileFailure.self) { try calls.ensureDirectories(folder.path + "/file/below") }
    }

    @Test("failures say what was tried, why it failed and what helps")
    func descriptions() {
        let full = FileFailure(.write, "/models/x", code: ENOSPC)
        #expect(full.errorDescription?.hasPrefix("Could not write /models/x: ") == true)
        #expect(full.errorDescription?.hasSuffix("Free some disk space and try again.") == true)
        #expect(FileFailure(.read, "/x", code: ENOENT).isMissing)
        #expect(FileFailure(.move, "/x", code: EXDEV).isOtherVolume)
        #expect(FileFailure(.read, "/x", code: ENOENT).recoverySuggestion == nil)
    }
}
