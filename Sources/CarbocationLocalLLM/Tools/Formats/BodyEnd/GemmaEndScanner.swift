/// Finds the end of a call in Gemma's syntax.
struct GemmaEndScanner: BodyEndScanning {
    private(set) var isBroken = false
    private var isComplete = false
    private var brackets = BracketStack()
    private var quote: QuoteScanner?
    /// Whether the text is between two of Gemma's string markers.
    private var isInString = false
    /// Whether a key or value begins here; a quote or string marker elsewhere opens nothing.
    private var isAtValueStart = false
    /// How much of a string marker was read, and whether it began where a value begins.
    private var matched = 0
    private var matchBeganValue = false

    var acceptsCloser: Bool { quote == nil && !isInString }

    mutating func scan(_ byte: UInt8) -> Bool {
        if let step = quote?.step(byte) {
            if step == .closes { quote = nil }
            return false
        }
        guard !isComplete, !isBroken else { return false }
        guard !advanceMarker(byte), !isInString else { return false }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
            isBroken = !brackets.open(byte)
            isAtValueStart = true
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
            isBroken = brackets.isEmpty
            brackets.close(byte)
            isAtValueStart = false
            isComplete = !isBroken && brackets.isEmpty
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            isAtValueStart = true
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            if isAtValueStart, !brackets.isEmpty { quote = QuoteScanner(quote: byte, allowsTriple: false) }
            isAtValueStart = false
        default:
            if !byte.isSpacing { isAtValueStart = false }
            isBroken = brackets.isEmpty && !byte.isNamePart && !byte.isSpacing
        }
        return isComplete
    }

    /// Follows a string marker; true if the byte belongs to one.
    private mutating func advanceMarker(_ byte: UInt8) -> Bool {
        let marker = GemmaCallDecoder.stringMarker.bytes
        if matched > 0, byte == marker[matched] {
            matched += 1
            guard matched == marker.count else { return true }
            matched = 0
            isInString = !isInString && matchBeganValue
            isAtValueStart = false
            return true
        }
        matched = byte == marker[0] && !brackets.isEmpty ? 1 : 0
        if matched == 1 { matchBeganValue = isAtValueStart }
        return matched == 1
    }
}
