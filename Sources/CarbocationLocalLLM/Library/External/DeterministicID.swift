import Foundation

/// Ids of external models, the same every time.
enum DeterministicID {
    /// A UUID made from the SHA-256 of a text, with the version 5 and the variant of RFC 9562.
    static func uuid(_ text: String) -> UUID {
        let digits = Array(SHA256Hasher.hash(Array(text.utf8)).utf8.prefix(32))
        var bytes = (0..<16).map { digit(digits[$0 * 2]) << 4 | digit(digits[$0 * 2 + 1]) }
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func digit(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "a") ? byte - UInt8(ascii: "a") + 10 : byte - UInt8(ascii: "0")
    }
}
