import Foundation
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct DescriptorReaderTests {
    private let pipe = Pipe()

    private func reader(limit: Int = 1 << 20) -> DescriptorReader {
        DescriptorReader(descriptor: pipe.fileHandleForReading.fileDescriptor, limit: limit)
    }

    /// Reads exactly `count` bytes, if they come.
    static func readAll(_ descriptor: Int32, count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let chunk = try Descriptor(number: descriptor).read(upTo: count - bytes.count)
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    @Test("reads to the end, in however many parts it comes")
    func everything() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let writing = pipe.fileHandleForWriting
        async let write: Void = onDedicatedThread {
            try DescriptorWriter(descriptor: writing.fileDescriptor).write(bytes)
            try writing.close()
        }
        #expect(try await reader().readToEnd() == bytes)
        try await write
    }

    @Test("nothing is nothing")
    func empty() async throws {
        try pipe.fileHandleForWriting.close()
        #expect(try await reader().readToEnd() == [])
    }

    @Test("reads one line at a time and leaves the rest")
    func lines() async throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data("yes\n\nend".utf8))
        try pipe.fileHandleForWriting.close()
        let reader = reader()
        #expect(try await reader.readLine() == Array("yes".utf8))
        #expect(try await reader.readLine() == [])
        #expect(try await reader.readLine() == Array("end".utf8))
        #expect(try await reader.readLine() == nil)
    }

    @Test("a line may have as many bytes as the limit says; a longer one is refused, not cut in two")
    func lineLimit() async throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data("0123456789\n0123456789a\nb\n".utf8))
        try pipe.fileHandleForWriting.close()
        let reader = reader(limit: 10)
        #expect(try await reader.readLine() == Array("0123456789".utf8))
        let error = await #expect(throws: CommandFailure.self) { try await reader.readLine() }
        #expect(error?.message == "A line of standard input is too large: a text may have 10 bytes.")
    }

    @Test("gives up waiting for a line when it is cancelled")
    func lineCancellation() async throws {
        let reading = Task { [reader = reader()] in try await reader.readLine() }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try pipe.fileHandleForWriting.close()
    }

    @Test("waits when the file says that nothing is there yet")
    func nonBlocking() async throws {
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
        let reading = Task { [reader = reader()] in try await reader.readToEnd() }
        try pipe.fileHandleForWriting.write(contentsOf: Data("late".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try await reading.value == Array("late".utf8))
    }

    @Test("gives up waiting when it is cancelled")
    func cancellation() async throws {
        let reading = Task { [reader = reader()] in try await reader.readToEnd() }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try pipe.fileHandleForWriting.close()
    }

    @Test("SC-7: an endless input is refused at the limit")
    func limit() async throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 65, count: 11))
        let reader = reader(limit: 10)
        let error = await #expect(throws: CommandFailure.self) { try await reader.readToEnd() }
        #expect(error?.message == "Standard input is too large: a text may have 10 bytes.")
        try pipe.fileHandleForWriting.close()
    }

    @Test("a descriptor that cannot be read is a failure")
    func unreadable() async throws {
        let reader = DescriptorReader(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let error = await #expect(throws: CommandFailure.self) { try await reader.readToEnd() }
        #expect(error?.message == "Standard input cannot be read: Bad file descriptor.")
    }
}
