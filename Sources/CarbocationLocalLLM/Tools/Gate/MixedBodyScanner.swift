/// Finds the end of a call between `<tool_call>` and `</tool_call>`, where families put different things.
///
/// A brace, a bracket or a code fence begins JSON, a tag begins `<function=`, and a letter a bare name with
/// `<arg_key>` behind it.
struct MixedBodyScanner: CallBodyScanning {
    private let closers: [String]
    private let boundaries: [String]
    private var body: NestedBody?
    private var followsBlank = false
    private var count = 0

    init(closers: [String], boundaries: [String]) {
        self.closers = closers
        self.boundaries = boundaries
    }

    mutating func read(_ byte: UInt8) -> CallVerdict {
        if let verdict = body?.read(byte) { return verdict }
        defer { count += 1 }
        if byte.isSpacing {
            followsBlank = followsBlank || byte.isBlank
            return .open
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "`"):
            body = begin(.bracketed(BracketedBodyRule(lead: .space)))
        case UInt8(ascii: "<"):
            body = begin(.tagged(.functionTags))
        default:
            // Families with bare names put nothing but a line break before them, prose does.
            guard !followsBlank else { return .text }
            body = begin(.tagged(.argumentPairs))
        }
        return body?.read(byte) ?? .text
    }

    private func begin(_ rule: CallBodyRule) -> NestedBody {
        NestedBody(rule, at: count, closers: closers, boundaries: boundaries)
    }

    func atEnd() -> CallVerdict {
        body?.atEnd() ?? .incomplete
    }
}
