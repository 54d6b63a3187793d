import Foundation

/// Reads an open file on a thread of its own, so that waiting for a person or a pipe blocks nothing else.
package struct DescriptorReader: ByteReading {
    private let descriptor: Descriptor
    private let limit: Int

    /// - Parameters:
    ///   - descriptor: stays open and belongs to the caller.
    ///   - limit: more bytes than this are an error.
    package init(descriptor: Int32, limit: Int = InputFile.sizeLimit) {
        self.descriptor = Descriptor(number: descriptor)
        self.limit = limit
    }

    package var isTerminal: Bool { descriptor.isTerminal }

    package func readToEnd() async throws -> [UInt8] {
        let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
            Thread.detachNewThread { pump(into: continuation) }
        }
        var bytes: [UInt8] = []
        for try await chunk in chunks {
            bytes += chunk
            guard bytes.count <= limit else { throw InputFile.tooLarge("Standard input", limit: limit) }
        }
        try Task.checkCancellation()
        return bytes
    }

    package func readLine() async throws -> [UInt8]? {
        let lines = AsyncThrowingStream<[UInt8], any Error> { continuation in
            Thread.detachNewThread { yieldLine(to: continuation) }
        }
        for try await line in lines { return line }
        try Task.checkCancellation()
        return nil
    }

    /// Takes one byte at a time, so that none beyond the line is lost for the next reader.
    private func yieldLine(to continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
        var line: [UInt8] = []
        do {
            while true {
                let byte = try descriptor.read(upTo: 1)
                if byte.isEmpty, line.isEmpty { return continuation.finish() }
                if byte.isEmpty || byte == [UInt8(ascii: "\n")] { break }
                guard line.count < limit else {
                    let failure = InputFile.tooLarge("A line of standard input", limit: limit)
                    return continuation.finish(throwing: failure)
                }
                line += byte
            }
            continuation.yield(line)
            continuation.finish()
        } catch {
            continuation.finish(throwing: Self.unreadable(error))
        }
    }

    private static func unreadable(_ failure: Descriptor.Failure) -> CommandFailure {
        CommandFailure(.inputUnreadable, "Standard input cannot be read: \(failure.reason).")
    }

    private func pump(into continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
        do {
            while true {
                let chunk = try descriptor.read(upTo: 1 << 16)
                if chunk.isEmpty { return continuation.finish() }
                if case .terminated = continuation.yield(chunk) { return }
            }
        } catch {
            continuation.finish(throwing: Self.unreadable(error))
        }
    }
}
