/// Decides whether text before any marker of a message can be the rest of its header.
///
/// The prompt ends within a header, so that output may begin with a recipient or a channel. Anything else is text of a
/// model that does without headers.
struct HarmonyOpening: Sendable {
    private static let words = (["assistant"] + HarmonyChannel.allCases.map(\.rawValue)).map { Array($0.utf8) }
    private static let recipient = Array("to=".utf8)

    /// The bytes of the current word, as many as matter.
    private var word: [UInt8] = []
    private var isRecipient = false
    private(set) var channel: HarmonyChannel?

    /// Reads on; false when this is no header.
    mutating func read(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes where !read(byte) { return false }
        return true
    }

    private mutating func read(_ byte: UInt8) -> Bool {
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
            let isWhole = word.isEmpty || isRecipient || Self.words.contains(word)
            word = []
            isRecipient = false
            return isWhole
        }
        if isRecipient { return true }
        word.append(byte)
        isRecipient = word == Self.recipient
        if channel == nil { channel = HarmonyChannel(rawValue: String(decoding: word, as: UTF8.self)) }
        return Self.recipient.starts(with: word) || Self.words.contains { $0.starts(with: word) }
    }
}
