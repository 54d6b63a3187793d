/// Finds the end of a quoted string, after its first quote.
struct QuoteScanner {
    /// What a byte is to the string.
    enum Step {
        case inside
        /// The byte is the string's last.
        case closes
        /// The string was empty and ended before the byte.
        case closedBefore
    }

    private let quote: UInt8
    /// How many quotes the string opened with; nil while that is not known.
    private var width: Int?
    private var run = 0
    private var isEscaped = false

    /// Starts inside a string; `allowsTriple` if three quotes can open it too.
    init(quote: UInt8, allowsTriple: Bool) {
        self.quote = quote
        width = allowsTriple ? nil : 1
    }

    /// Whether the string goes on whatever follows: two quotes are an empty string if no third one does.
    var isOpen: Bool { width != nil || run == 0 }

    mutating func step(_ byte: UInt8) -> Step {
        guard let width else { return stepOpening(byte) }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
            run = 0
        } else if byte == quote {
            run += 1
            if run == width { return .closes }
        } else {
            run = 0
        }
        return .inside
    }

    private mutating func stepOpening(_ byte: UInt8) -> Step {
        if byte == quote {
            run += 1
            if run == 2 {
                width = 3
                run = 0
            }
            return .inside
        }
        if run == 1 { return .closedBefore }
        width = 1
        return step(byte)
    }
}
