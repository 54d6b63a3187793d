/// A sequence of bytes of known length that can be read at any offset.
package protocol ByteSource: AnyObject {
    /// The length when the source was opened. Readers never go beyond it, whatever happens to the file meanwhile.
    var size: UInt64 { get }

    /// Copies bytes from `offset` on into `buffer` and returns how many there were; 0 means that the source has ended.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(GGUFReaderError) -> Int
}

/// Bytes held in memory.
package final class MemoryByteSource: ByteSource {
    private let bytes: [UInt8]
    package let size: UInt64

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        size = UInt64(bytes.count)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
        guard let start = Int(exactly: offset), start < bytes.count else { return 0 }
        let count = min(buffer.count, bytes.count - start)
        buffer.copyBytes(from: bytes[start..<start + count])
        return count
    }
}
