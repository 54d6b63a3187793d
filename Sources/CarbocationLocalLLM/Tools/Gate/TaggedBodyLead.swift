/// Tells from the first characters whether a tagged call can begin like this.
struct TaggedBodyLead: Sendable {
    private static let longestName = 256

    private var nameLength = 0
    private var nameHasEnded = false
    private var isDecided = false

    /// Whether no call goes on like this.
    mutating func read(_ byte: UInt8, _ lead: TaggedBodyRule.Lead) -> Bool {
        guard !isDecided else { return false }
        switch lead {
        case .anything:
            isDecided = true
            return false
        case .tag:
            guard !byte.isSpacing else { return false }
            isDecided = true
            return byte != UInt8(ascii: "<")
        case .name:
            return readName(byte)
        }
    }

    private mutating func readName(_ byte: UInt8) -> Bool {
        if byte.isSpacing {
            nameHasEnded = nameLength > 0
            return false
        }
        // What follows the name: a tag, the quote that ends the name in an attribute, or arguments in JSON.
        if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{") {
            isDecided = true
            return nameLength == 0
        }
        nameLength += 1
        return nameHasEnded || !byte.isNamePart || nameLength > Self.longestName
    }
}
