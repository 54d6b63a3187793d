/// Writes gzip files without a library: bytes as they are, and runs of zeros that decompress to very many.
public enum Gzip {
    /// A gzip file of the bytes, not made smaller.
    public static func storing(_ bytes: [UInt8]) -> [UInt8] {
        var file = header
        var start = 0
        repeat {
            let count = min(bytes.count - start, 0xFFFF)
            let isLast = start + count == bytes.count
            file.append(isLast ? 1 : 0)
            file += littleEndian(UInt16(count)) + littleEndian(~UInt16(count))
            file += bytes[start..<start + count]
            start += count
        } while start < bytes.count
        return file + littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// A gzip file of about so many zeros, itself a 150th as long.
    ///
    /// Its checksum is wrong, as nobody should read so far.
    public static func zeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0b011, count: 3)  // last block, fixed codes
        bits.append(code: 0b0011_0000, count: 8)  // the literal 0, to be repeated
        let repeats = count / 258
        for _ in 0..<min(repeats, 16 + repeats % 8) {
            bits.append(code: 0b1100_0101, count: 8)  // length 258
            bits.append(code: 0, count: 5)  // distance 1
        }
        // Eight repeats have 13 bytes, so from here on the bytes go round.
        if repeats > 16 { bits.appendAgain(lastBytes: 13, times: (repeats - 16) / 8) }
        bits.append(code: 0, count: 7)  // end of the block
        return header + bits.bytes + [UInt8](repeating: 0, count: 4) + littleEndian(UInt32(truncatingIfNeeded: count))
    }

    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian, Array.init)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in (sum >> 8) ^ crcTable[Int((sum ^ UInt32(byte)) & 0xFF)] }
    }

    private static let crcTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in (sum >> 1) ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
}

/// Packs bits as deflate does: fields from their lowest bit, Huffman codes from their highest.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func append(_ field: UInt32, count: Int) {
        for shift in 0..<count { append(bit: UInt8((field >> shift) & 1)) }
    }

    mutating func append(code: UInt32, count: Int) {
        for shift in (0..<count).reversed() { append(bit: UInt8((code >> shift) & 1)) }
    }

    /// Repeats the last whole bytes, which must be those that come next if the bits so far go on as they are.
    mutating func appendAgain(lastBytes count: Int, times: Int) {
        let unfinished = used == 8 ? nil : bytes.popLast()
        let cycle = Array(bytes.suffix(count))
        for _ in 0..<times { bytes += cycle }
        if let unfinished { bytes.append(unfinished) }
    }

    private mutating func append(bit: UInt8) {
        if used == 8 {
            bytes.append(0)
            used = 0
        }
        bytes[bytes.count - 1] |= bit << used
        used += 1
    }
}
