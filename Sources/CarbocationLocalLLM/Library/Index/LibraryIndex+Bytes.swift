import Foundation

extension LibraryIndex {
    /// Changes with the layout of the file and with what is read from headers.
    static let version: UInt8 = 1

    private static let mark: [UInt8] = Array("CLLMINDX".utf8)
    private static let headerCount = mark.count + 1 + 8

    /// The file's bytes: a mark, the version, a checksum of the rest, and the entries.
    var bytes: [UInt8] {
        var body = ByteWriter()
        body.list(Array(folders.values)) { $0.folder($1) }
        body.list(Array(files)) { writer, entry in
            writer.text(entry.key)
            writer.file(entry.value)
        }
        var head = ByteWriter()
        head.number(Self.version)
        head.number(body.bytes.withUnsafeBytes(Self.checksum))
        return Self.mark + head.bytes + body.bytes
    }

    /// Nil for bytes of another version and for damaged ones.
    init?(bytes: [UInt8]) {
        guard bytes.count >= Self.headerCount, bytes.starts(with: Self.mark) else { return nil }
        let index = bytes.withUnsafeBytes { all in
            try? Self.read(UnsafeRawBufferPointer(rebasing: all[Self.mark.count...]))
        }
        guard let index else { return nil }
        self = index
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) throws(ByteReader.Malformed) -> LibraryIndex {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt8.self) == version else { throw ByteReader.Malformed() }
        let body = UnsafeRawBufferPointer(rebasing: bytes[9...])
        guard try reader.number(UInt64.self) == checksum(body) else { throw ByteReader.Malformed() }
        var index = LibraryIndex()
        for folder in try reader.list({ (reader) throws(ByteReader.Malformed) in try reader.folder() }) {
            guard let folder else { continue }
            index.folders[folder.stored.id.uuidString] = folder
        }
        let files = try reader.list { (reader) throws(ByteReader.Malformed) in
            (try reader.text(), try reader.file())
        }
        for (path, file) in files { index.files[path] = file }
        guard reader.remaining == 0 else { throw ByteReader.Malformed() }
        return index
    }

    /// Tells accidental damage; eight bytes at a time.
    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        let words = bytes.count / 8
        for word in 0..<words {
            let value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
            sum = (sum ^ value) &* 0x0000_0100_0000_01B3
            sum ^= sum >> 29
        }
        for byte in bytes[(words * 8)...] { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return sum
    }
}
