/// Writes to an open file without buffering: every call is one system call, if the file takes it all.
package struct DescriptorWriter: ByteWriting {
    private let descriptor: Descriptor

    /// - Parameter descriptor: stays open and belongs to the caller.
    package init(descriptor: Int32) {
        self.descriptor = Descriptor(number: descriptor)
    }

    package var isTerminal: Bool { descriptor.isTerminal }

    package func write(_ bytes: [UInt8]) throws {
        do {
            try descriptor.write(bytes)
        } catch {
            if error.isClosedPipe { throw OutputClosed() }
            throw CommandFailure(.outputFailed, "The output cannot be written: \(error.reason).")
        }
    }
}
