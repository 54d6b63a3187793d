/// Decides whether text before any marker of a message can be the rest of its header.
///
/// The prompt ends with the role, so that output begins with the recipient. Anything else is text of a model that does
/// without headers.
struct AddressedOpening: Sendable {
    private static let role = Array("assistant".utf8)
    private static let address = Array("to=".utf8)

    /// Where the recipient ends behind which something else than the body's marker came; nil if it is no known one.
    var endOfKnownRecipient: Int? {
        recipient.flatMap { AddressedHeader.isKnown($0) ? endOfRecipient : nil }
    }

    private var word: [UInt8] = []
    private var isAddress = false
    private var recipient: String?
    private var length = 0
    private var endOfRecipient = 0

    /// Reads on; false when this is no header.
    mutating func read(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes where !read(byte) { return false }
        return true
    }

    private mutating func read(_ byte: UInt8) -> Bool {
        length += 1
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
            let isWhole = word.isEmpty || isAddress || word == Self.role
            if isAddress {
                recipient = String(decoding: word.dropFirst(Self.address.count), as: UTF8.self)
                endOfRecipient = length - 1
            }
            word = []
            isAddress = false
            return isWhole
        }
        guard recipient == nil else { return false }
        word.append(byte)
        if isAddress { return true }
        isAddress = word == Self.address
        return Self.address.starts(with: word) || Self.role.starts(with: word)
    }
}
