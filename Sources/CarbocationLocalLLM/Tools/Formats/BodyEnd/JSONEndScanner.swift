/// Finds the end of one JSON object or list, also of one with single-quoted strings.
struct JSONEndScanner: BodyEndScanning {
    private(set) var isBroken = false
    private var isComplete = false
    private var brackets = BracketStack()
    private var quote: QuoteScanner?

    var acceptsCloser: Bool { quote == nil }

    mutating func scan(_ byte: UInt8) -> Bool {
        if let step = quote?.step(byte) {
            if step == .closes { quote = nil }
            return false
        }
        guard !isComplete, !isBroken else { return false }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            isBroken = !brackets.open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            isBroken = brackets.isEmpty
            brackets.close(byte)
            isComplete = !isBroken && brackets.isEmpty
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            isBroken = brackets.isEmpty
            if !isBroken { quote = QuoteScanner(quote: byte, allowsTriple: false) }
        default:
            isBroken = brackets.isEmpty && !byte.isSpacing
        }
        return isComplete
    }
}
