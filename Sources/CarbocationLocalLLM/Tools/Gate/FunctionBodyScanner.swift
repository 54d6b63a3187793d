/// Finds the end of a call that began with `<function=`: the name, and JSON or tagged values behind it.
struct FunctionBodyScanner: CallBodyScanning {
    private static let longestName = 256

    private let closers: [String]
    private let boundaries: [String]
    private var nameHasEnded = false
    private var arguments: NestedBody?
    private var count = 0

    init(closers: [String], boundaries: [String]) {
        self.closers = closers
        self.boundaries = boundaries
    }

    mutating func read(_ byte: UInt8) -> CallVerdict {
        if let verdict = arguments?.read(byte) { return verdict.includingLead }
        defer { count += 1 }
        if nameHasEnded { return byte.isSpacing ? .open : beginArguments(byte) }
        if byte == UInt8(ascii: ">"), count > 0 {
            nameHasEnded = true
            return .open
        }
        return byte.isNamePart && count < Self.longestName ? .open : .text
    }

    private mutating func beginArguments(_ byte: UInt8) -> CallVerdict {
        switch byte {
        case UInt8(ascii: "{"):
            arguments = begin(.bracketed(BracketedBodyRule(lead: .space)))
        case UInt8(ascii: "<"):
            arguments = begin(.tagged(.functionTags))
        default: return .text
        }
        return arguments?.read(byte).includingLead ?? .text
    }

    private func begin(_ rule: CallBodyRule) -> NestedBody {
        NestedBody(rule, at: count, closers: closers, boundaries: boundaries)
    }

    func atEnd() -> CallVerdict {
        arguments?.atEnd().includingLead ?? .incomplete
    }
}
