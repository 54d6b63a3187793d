/// Finds the end of a list of calls in Python's syntax, or of a single such call.
struct PythonicEndScanner: BodyEndScanning {
    private(set) var isBroken = false
    private var isComplete = false
    private var brackets = BracketStack()
    private var quote: QuoteScanner?

    var acceptsCloser: Bool { quote?.isOpen != true }

    mutating func scan(_ byte: UInt8) -> Bool {
        switch quote?.step(byte) {
        case .inside: return false
        case .closes:
            quote = nil
            return false
        case .closedBefore: quote = nil
        case nil: break
        }
        guard !isComplete, !isBroken else { return false }
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            isBroken = !brackets.open(byte)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            isBroken = brackets.isEmpty
            brackets.close(byte)
            isComplete = !isBroken && brackets.isEmpty
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            isBroken = brackets.isEmpty
            if !isBroken { quote = QuoteScanner(quote: byte, allowsTriple: true) }
        default:
            // Before the first bracket only the name of a call can stand.
            isBroken = brackets.isEmpty && !byte.isNamePart && !byte.isSpacing
        }
        return isComplete
    }
}
