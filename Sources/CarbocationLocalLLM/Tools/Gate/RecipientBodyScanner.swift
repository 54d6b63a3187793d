/// Reads a message that begins with a line for whom it is: `all` for the user, else a tool, with JSON below.
struct RecipientBodyScanner: CallBodyScanning {
    private static let longestName = 256
    private static let user = Array("all".utf8)

    private let boundaries: [String]
    private var recipient: [UInt8] = []
    private var lineHasEnded = false
    private var arguments: NestedBody?
    private var count = 0

    init(boundaries: [String]) {
        self.boundaries = boundaries
    }

    mutating func read(_ byte: UInt8) -> CallVerdict {
        if let verdict = arguments?.read(byte) { return verdict.includingLead }
        count += 1
        if lineHasEnded { return byte.isSpacing ? .open : beginArguments(byte) }
        if byte == UInt8(ascii: "\n"), !recipient.isEmpty {
            lineHasEnded = true
            return recipient == Self.user ? .markup(length: count) : .open
        }
        guard byte.isNamePart, recipient.count < Self.longestName else { return .text }
        recipient.append(byte)
        return .open
    }

    private mutating func beginArguments(_ byte: UInt8) -> CallVerdict {
        guard byte == UInt8(ascii: "{") else { return .text }
        let rule = CallBodyRule.bracketed(BracketedBodyRule(lead: .space, endsBalanced: true))
        arguments = NestedBody(rule, at: count - 1, closers: [], boundaries: boundaries)
        return arguments?.read(byte) ?? .text
    }

    /// A line by itself may be for the user, or text.
    var certainBodyStart: Int? { arguments == nil ? nil : 0 }

    /// Without arguments the first line is text, even where it reads like a tool's name.
    func atEnd() -> CallVerdict {
        arguments?.atEnd().includingLead ?? .text
    }
}
