/// Reads what stands between the opener of a call and its value, and tells it from prose.
struct BracketedBodyLead: Sendable {
    enum Step: Sendable, Hashable {
        case more
        /// The value begins with this byte.
        case value
        /// No call goes on like this.
        case implausible
    }

    private static let longestName = 256
    private static let builtInCall = Array(".call".utf8)
    private static let gemmaCall = Array("call:".utf8)

    private var ticks = 0
    private var length = 0
    /// The end of what was read, as long as what makes a name one of a built-in call.
    private var nameEnd: [UInt8] = []
    private var nameHasEnded = false

    mutating func read(_ byte: UInt8, _ lead: BracketedBodyRule.Lead) -> Step {
        switch lead {
        case .space: readSpace(byte, needsFence: false)
        case .fence: readSpace(byte, needsFence: true)
        case .anything: byte == UInt8(ascii: "{") || beginsList(byte) ? .value : note(byte)
        case .name: readName(byte)
        case .call: byte.isSpacing ? .more : byte.isNamePart || Self.isBracket(byte) ? .value : .implausible
        case .builtInCall: readBuiltInCall(byte)
        case .gemma: readGemmaCall(byte)
        }
    }

    private mutating func readSpace(_ byte: UInt8, needsFence: Bool) -> Step {
        let isInFence = ticks >= 3
        if Self.isBracket(byte) { return (ticks == 0 && !needsFence) || isInFence ? .value : .implausible }
        if byte == UInt8(ascii: "`"), length == 0 {
            ticks += 1
            return .more
        }
        if byte.isSpacing { return ticks == 0 || isInFence ? .more : .implausible }
        guard isInFence, byte.isNamePart else { return .implausible }
        return note(byte, limit: Self.longestName)
    }

    private mutating func readName(_ byte: UInt8) -> Step {
        if byte == UInt8(ascii: "{") || beginsList(byte) { return .value }
        if byte.isSpacing {
            nameHasEnded = nameHasEnded || length > 0
            return .more
        }
        if byte == UInt8(ascii: "[") { nameHasEnded = false }
        guard !nameHasEnded, length > 0 || byte.isNamePart else { return .implausible }
        return note(byte, limit: Self.longestName)
    }

    private mutating func readBuiltInCall(_ byte: UInt8) -> Step {
        if length == 0 {
            if byte.isSpacing { return .more }
            if Self.isBracket(byte) { return .value }
        }
        if byte == UInt8(ascii: "(") { return nameEnd == Self.builtInCall ? .value : .implausible }
        return byte.isNamePart ? note(byte, limit: Self.longestName) : .implausible
    }

    private mutating func readGemmaCall(_ byte: UInt8) -> Step {
        if length == 0, byte.isSpacing { return .more }
        if length == Self.gemmaCall.count { return byte.isNamePart || byte.isSpacing ? .value : .implausible }
        return byte == Self.gemmaCall[length] ? note(byte) : .implausible
    }

    private mutating func note(_ byte: UInt8, limit: Int = Int.max) -> Step {
        guard length < limit else { return .implausible }
        length += 1
        nameEnd.append(byte)
        if nameEnd.count > Self.builtInCall.count { nameEnd.removeFirst() }
        return .more
    }

    /// Whether a list of calls begins here, and not a marker in brackets behind a name.
    private func beginsList(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") && length == 0
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }
}
