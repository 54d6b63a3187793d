import Foundation
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct DescriptorWriterTests {
    private let pipe = Pipe()

    init() {
        signal(SIGPIPE, SIG_IGN)
    }

    private var writer: DescriptorWriter { DescriptorWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor) }

    @Test("is no terminal when it is a pipe")
    func terminal() {
        #expect(!writer.isTerminal)
    }

    @Test("what was written is there at once")
    func unbuffered() throws {
        let reader = Descriptor(number: pipe.fileHandleForReading.fileDescriptor)
        try writer.write("é")
        #expect(try reader.read(upTo: 100) == Array("é".utf8))
        try writer.write("")
        try writer.write([1, 2])
        #expect(try reader.read(upTo: 100) == [1, 2])
    }

    @Test("more than a pipe holds is written in parts, also when the file does not wait", arguments: [false, true])
    func parts(isNonBlocking: Bool) async throws {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        if isNonBlocking { #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0) }
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let reading = pipe.fileHandleForReading
        async let write: Void = onDedicatedThread { [writer] in try writer.write(bytes) }
        let read = try await onDedicatedThread {
            try DescriptorReaderTests.readAll(reading.fileDescriptor, count: bytes.count)
        }
        try await write
        #expect(read == bytes)
    }

    @Test("a closed pipe and a full disk are told apart")
    func failures() throws {
        try pipe.fileHandleForReading.close()
        #expect(throws: OutputClosed()) { try writer.write("x") }
        let closed = Pipe()
        let reader = DescriptorWriter(descriptor: closed.fileHandleForReading.fileDescriptor)
        let error = #expect(throws: CommandFailure.self) { try reader.write("x") }
        #expect(error?.code == .outputFailed)
        #expect(error?.message == "The output cannot be written: Bad file descriptor.")
    }
}
