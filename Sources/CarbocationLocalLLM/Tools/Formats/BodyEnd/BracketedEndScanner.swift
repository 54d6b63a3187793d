/// Finds the bracket that ends a call in prose, whose opening bracket came before.
struct BracketedEndScanner: BodyEndScanning {
    private(set) var isBroken = false
    private var isComplete = false
    private var brackets: BracketStack
    private var quote: QuoteScanner?

    init() {
        brackets = BracketStack()
        _ = brackets.open(UInt8(ascii: "["))
    }

    var acceptsCloser: Bool { quote == nil }

    mutating func scan(_ byte: UInt8) -> Bool {
        if let step = quote?.step(byte) {
            if step == .closes { quote = nil }
            return false
        }
        guard !isComplete, !isBroken else { return false }
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            isBroken = !brackets.open(byte)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            brackets.close(byte)
            isComplete = brackets.isEmpty
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            // In the words before the arguments it is an apostrophe.
            if brackets.depth > 1 { quote = QuoteScanner(quote: byte, allowsTriple: false) }
        default: break
        }
        return isComplete
    }
}
