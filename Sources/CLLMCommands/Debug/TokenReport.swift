/// A token and the bytes that it stands for, which may be part of a character.
package struct TokenReport: Sendable, Hashable {
    package var id: Int32
    package var bytes: [UInt8]

    package init(id: Int32, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }

    /// The bytes as text; what is no character on its own becomes U+FFFD.
    var piece: String { String(decoding: bytes, as: UTF8.self) }
}
