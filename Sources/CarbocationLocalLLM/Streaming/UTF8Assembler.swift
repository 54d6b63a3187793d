/// Turns bytes that arrive in pieces into text, without ever showing half a character.
///
/// The pieces of text together equal `String(decoding: allBytes, as: UTF8.self)`, however the bytes are cut. A
/// character is given out with its last byte. Bytes that can no longer become one are replaced at once, one U+FFFD for
/// each maximal part, so that at most three bytes are ever held.
package struct UTF8Assembler: Sendable {
    private var held: [UInt8] = []

    package init() {
        held.reserveCapacity(3)
    }

    /// How many bytes wait for the rest of their character.
    var heldByteCount: Int { held.count }

    /// Whether all bytes so far are given out, so that no character is pending.
    package var isAtCharacterBoundary: Bool { held.isEmpty }

    /// Adds bytes and returns the text that is now certain.
    package mutating func push(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard !held.isEmpty else { return decode(bytes) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: held.count + bytes.count) { joined in
            let end = joined[joined.initialize(fromContentsOf: held)...].initialize(fromContentsOf: bytes)
            held.removeAll(keepingCapacity: true)
            return decode(UnsafeBufferPointer(rebasing: joined[..<end]))
        }
    }

    /// Adds bytes and returns the text that is now certain.
    package mutating func push(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { push($0) }
    }

    /// Ends the bytes: an incomplete character becomes one U+FFFD.
    package mutating func finish() -> String {
        guard !held.isEmpty else { return "" }
        held.removeAll(keepingCapacity: true)
        return "\u{FFFD}"
    }

    /// Decodes all but an incomplete tail, which is held.
    private mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let end = bytes.count - UTF8Sequence.incompleteTailLength(of: bytes)
        held.append(contentsOf: bytes[end...])
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    }
}
