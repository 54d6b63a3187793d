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

    private func pump(into continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
        do {
            while true {
                let chunk = try descriptor.read(upTo: 1 << 16)
                if chunk.isEmpty { return continuation.finish() }
                if case .terminated = continuation.yield(chunk) { return }
            }
        } catch {
            let failure = CommandFailure(.inputUnreadable, "Standard input cannot be read: \(error.reason).")
            continuation.finish(throwing: failure)
        }
    }
}
