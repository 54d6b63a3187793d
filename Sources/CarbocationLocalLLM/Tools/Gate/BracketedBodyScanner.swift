/// Finds the end of a call whose body is a value in brackets: JSON, Gemma's notation or calls in Python's syntax.
///
/// Closing markers inside strings do not count. Where the marker never comes, the call still ends with its value,
/// provided that this is whole.
struct BracketedBodyScanner: CallBodyScanning {
    private enum Stage: Hashable {
        case lead, value
        /// Behind a value that may be followed by another one.
        case tail
    }

    private let rule: BracketedBodyRule
    private let terminators: CallTerminators
    private var state = MarkerAutomaton.start
    private var stage = Stage.lead
    private var lead = BracketedBodyLead()
    private var count = 0
    /// Follows the value that is open; nil between values.
    private var value: BodyEndScanner?
    /// Whether it is JSON, whose strings have no line breaks.
    private var isJSON = false
    /// Where the last whole value ended.
    private var valueEnd: Int?
    /// The first thing behind it.
    private var afterValue: (byte: UInt8, position: Int)?
    /// A closing marker inside a string, with nothing but white space behind it: where the body before it ends.
    private var hiddenEnd: (start: Int, end: Int)?

    init(rule: BracketedBodyRule, terminators: CallTerminators) {
        self.rule = rule
        self.terminators = terminators
    }

    mutating func read(_ byte: UInt8) -> CallVerdict {
        count += 1
        let match = terminators.read(byte, &state)
        switch stage {
        case .lead:
            // A fence's marker ends nothing before the value has begun.
            if let match, rule.lead != .fence { return end(at: match) }
            return readLead(byte)
        case .value:
            return readValue(byte, match)
        case .tail:
            return readTail(byte)
        }
    }

    private func end(at match: CallTerminators.Match) -> CallVerdict {
        let start = count - match.length
        return .complete(body: 0..<start, length: match.isCloser ? count : start)
    }

    private mutating func readLead(_ byte: UInt8) -> CallVerdict {
        switch lead.read(byte, rule.lead) {
        case .more: return .open
        case .implausible: return .text
        case .value:
            stage = .value
            return beginValue(byte)
        }
    }

    private mutating func beginValue(_ byte: UInt8) -> CallVerdict {
        switch rule.lead {
        case .gemma: value = BodyEndScanner(.gemma)
        case .call where rule.beginsInBracket: value = BodyEndScanner(.bracketed)
        case .call, .builtInCall:
            isJSON = byte == UInt8(ascii: "{")
            value = BodyEndScanner(isJSON ? .json : .pythonic)
        case .space, .fence, .anything, .name:
            isJSON = true
            value = BodyEndScanner(.json)
            if rule.beginsInBracket { _ = value?.scan(UInt8(ascii: "[")) }
        }
        return continueValue(byte)
    }

    private mutating func continueValue(_ byte: UInt8) -> CallVerdict {
        guard value?.scan(byte) == true else { return .open }
        value = nil
        valueEnd = count
        afterValue = nil
        guard rule.endsBalanced else { return .open }
        if rule.repeats {
            stage = .tail
            return .open
        }
        return .complete(body: 0..<count, length: count)
    }

    private mutating func readValue(_ byte: UInt8, _ match: CallTerminators.Match?) -> CallVerdict {
        let isInString = value?.acceptsCloser == false
        if let match {
            guard isInString else { return end(at: match) }
            if match.isCloser { hiddenEnd = (count - match.length, count) }
        } else if !byte.isSpacing {
            hiddenEnd = nil
        } else if let hiddenEnd, isJSON, byte == UInt8(ascii: "\n") {
            // The string has no end, so that nothing is known to be inside of one.
            return .complete(body: 0..<hiddenEnd.start, length: hiddenEnd.end)
        }
        if value != nil { return continueValue(byte) }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "(") {
            return beginValue(byte)
        }
        if afterValue == nil, !byte.isSpacing, byte != UInt8(ascii: "`") { afterValue = (byte, count - 1) }
        return .open
    }

    private mutating func readTail(_ byte: UInt8) -> CallVerdict {
        if byte.isSpacing || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") { return .open }
        guard byte == UInt8(ascii: "{") else { return endWithValue() }
        stage = .value
        return beginValue(byte)
    }

    private func endWithValue() -> CallVerdict {
        .complete(body: 0..<(valueEnd ?? count), length: valueEnd ?? count)
    }

    func atEnd() -> CallVerdict {
        switch stage {
        case .lead: return .incomplete
        case .tail: return endWithValue()
        case .value: break
        }
        guard let valueEnd, value == nil else {
            return hiddenEnd.map { .complete(body: 0..<$0.start, length: $0.end) } ?? .incomplete
        }
        guard let afterValue, afterValue.position < count - terminators.heldLength(at: state) else {
            return .complete(body: 0..<valueEnd, length: count)
        }
        switch afterValue.byte {
        // The value only looked whole: a bracket too many, or a list that goes on.
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ":"):
            return .incomplete
        default:
            return endWithValue()
        }
    }
}
