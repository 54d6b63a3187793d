import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("EarlyFlush")
struct EarlyFlushTests {
    private let folder = DownloadFolder()
    private let fileSystem = FaultyFileSystem()
    private let queue = DiskQueue("test")

    @Test("a flush begins after each stride")
    func strides() async throws {
        let early = EarlyFlush(file: try fileSystem.openFile(folder.url("x")), queue: queue, stride: 10)
        for _ in 0..<9 { try early.note(writtenBytes: 1) }
        try await queue.run {}
        #expect(!fileSystem.log.contains(.flush))
        for _ in 0..<2 {
            try early.note(writtenBytes: 10)
            try await queue.run {}
        }
        #expect(fileSystem.log.count { $0 == .flush } == 2)
        try early.throwFailure()
    }

    @Test("DL-2: the failure of a flush that nobody waited for stays, although a later one would succeed")
    func failure() async throws {
        let early = EarlyFlush(file: try fileSystem.openFile(folder.url("x")), queue: queue, stride: 10)
        fileSystem.fail(.flush, code: EIO, times: 1)
        try early.note(writtenBytes: 10)
        try await queue.run {}
        #expect(throws: FileSystemFailure.self) { try early.note(writtenBytes: 1) }
        #expect(throws: FileSystemFailure.self) { try early.throwFailure() }
    }
}
