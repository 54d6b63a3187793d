/// Recognises calls that no marker announces.
///
/// These are `{"tool_calls":[…]}`, by itself or alone in a code fence; and, where the rules allow them, calls that are
/// the whole text: an object with name and arguments, a list of such objects, or `[name(key=value)]`.
///
/// It begins with the first byte of what may be one.
struct PlainCallScanner: CallBodyScanning {
    /// What is looked for.
    struct Rules: Sendable, Hashable {
        var allowsWrapper: Bool
        /// Objects that are the whole text.
        var allowsBareCalls = false
        /// Lists in Python's syntax that are the whole text.
        var allowsCallList = false
    }

    private enum Stage: Sendable, Hashable {
        case start
        case pythonTag(length: Int)
        case openingFence
        case beforeValue
        /// Behind `[`, before the first element.
        case list
        case object
        case betweenObjects
        /// A list of calls in Python's syntax, or the rest of a wrapper.
        case rest
        case tail
        case closingFence
        case afterFence
    }

    private static let pythonTag = Array("<|python_tag|>".utf8)
    private static let longestFenceLine = 64

    private let rules: Rules
    private let names: Set<String>
    private var stage = Stage.start
    private var probe: BareCallProbe
    /// Follows what is only read to its end.
    private var rest: BodyEndScanner?
    private var name: [UInt8] = []
    private var count = 0
    private var bodyStart = 0
    private var bodyEnd = 0
    private var fenceLength = 0
    private var closingFenceLength = 0
    private var isInList = false
    /// Whether it is `{"tool_calls":[…]}`.
    private(set) var isWrapper = false
    /// Whether this is surely a call, and one that was cut off if the text ends here.
    private var isCall = false
    var certainBodyStart: Int? { isCall ? bodyStart : nil }

    init(rules: Rules, names: Set<String>) {
        self.rules = rules
        self.names = names
        probe = Self.probe(rules, names)
    }

    private static func probe(_ rules: Rules, _ names: Set<String>) -> BareCallProbe {
        BareCallProbe(names: names, allowsCall: rules.allowsBareCalls, allowsWrapper: rules.allowsWrapper)
    }

    mutating func read(_ byte: UInt8) -> CallVerdict {
        defer { count += 1 }
        switch stage {
        case .start: return begin(byte)
        case .pythonTag(let length): return readPythonTag(byte, length)
        case .openingFence: return readOpeningFence(byte)
        case .beforeValue: return byte.isSpacing ? .open : beginValue(byte)
        case .list: return byte.isSpacing ? .open : beginElement(byte)
        case .object: return readObject(byte)
        case .betweenObjects: return readBetweenObjects(byte)
        case .rest: return readRest(byte)
        case .tail: return readTail(byte)
        case .closingFence: return readClosingFence(byte)
        case .afterFence: return readAfterFence(byte)
        }
    }

    func atEnd() -> CallVerdict {
        switch stage {
        case .tail, .closingFence, .afterFence: .complete(body: bodyStart..<bodyEnd, length: count)
        default: isCall ? .incomplete : .text
        }
    }
}

extension PlainCallScanner {
    private mutating func begin(_ byte: UInt8) -> CallVerdict {
        switch byte {
        case UInt8(ascii: "`"):
            fenceLength = 1
            stage = .openingFence
        case Self.pythonTag[0]:
            stage = .pythonTag(length: 1)
        default: return beginValue(byte)
        }
        return .open
    }

    private mutating func readPythonTag(_ byte: UInt8, _ length: Int) -> CallVerdict {
        guard rules.allowsBareCalls, byte == Self.pythonTag[length] else { return .text }
        stage = length + 1 == Self.pythonTag.count ? .beforeValue : .pythonTag(length: length + 1)
        return .open
    }

    /// Reads the fence with the language behind it, up to the value.
    private mutating func readOpeningFence(_ byte: UInt8) -> CallVerdict {
        if byte == UInt8(ascii: "`"), fenceLength == count {
            fenceLength += 1
            return .open
        }
        guard fenceLength >= 3, count < Self.longestFenceLine else { return .text }
        if byte == UInt8(ascii: "\n") {
            stage = .beforeValue
            return .open
        }
        if byte.isSpacing || byte.isNamePart { return .open }
        return beginValue(byte)
    }

    private mutating func beginValue(_ byte: UInt8) -> CallVerdict {
        bodyStart = count
        switch byte {
        case UInt8(ascii: "{"): return beginObject(byte)
        case UInt8(ascii: "["):
            guard rules.allowsBareCalls || rules.allowsCallList else { return .text }
            stage = .list
            return .open
        default: return .text
        }
    }

    private mutating func beginElement(_ byte: UInt8) -> CallVerdict {
        if byte == UInt8(ascii: "{"), rules.allowsBareCalls, name.isEmpty {
            isInList = true
            return beginObject(byte)
        }
        guard rules.allowsCallList else { return .text }
        if byte == UInt8(ascii: "(") {
            guard resolvedName(String(decoding: name, as: UTF8.self), among: names) != nil else { return .text }
            beginRest(.pythonic, after: "[(")
            return .open
        }
        name.append(byte)
        return byte.isNamePart && name.count <= 256 ? .open : .text
    }

    private mutating func beginObject(_ byte: UInt8) -> CallVerdict {
        let wasInText = count > bodyStart
        probe = Self.probe(
            Rules(allowsWrapper: rules.allowsWrapper && !wasInText, allowsBareCalls: rules.allowsBareCalls), names)
        stage = .object
        return readObject(byte)
    }

    private mutating func readObject(_ byte: UInt8) -> CallVerdict {
        switch probe.read(byte) {
        case .noCall: return .text
        case .wrapper:
            isWrapper = true
            beginRest(.json, after: "{[")
        case .call:
            bodyEnd = count + 1
            stage = isInList ? .betweenObjects : .tail
        case .open:
            isCall = isCall || probe.hasName
        }
        return .open
    }

    private mutating func readBetweenObjects(_ byte: UInt8) -> CallVerdict {
        if byte.isSpacing || byte == UInt8(ascii: ",") { return .open }
        if byte == UInt8(ascii: "{") { return beginObject(byte) }
        guard byte == UInt8(ascii: "]") else { return .text }
        bodyEnd = count + 1
        isInList = false
        stage = .tail
        return .open
    }

    /// Reads on to the end of what these brackets began, which is a call for sure.
    private mutating func beginRest(_ syntax: BodyEndScanner.Syntax, after brackets: String) {
        var scanner = BodyEndScanner(syntax)
        for bracket in brackets.utf8 { _ = scanner.scan(bracket) }
        rest = scanner
        isCall = true
        stage = .rest
    }

    private mutating func readRest(_ byte: UInt8) -> CallVerdict {
        guard rest?.scan(byte) == true else { return .open }
        bodyEnd = count + 1
        stage = .tail
        // By itself a wrapper is complete, whatever follows; in a fence it has to be alone.
        return isWrapper && fenceLength == 0 ? .complete(body: bodyStart..<bodyEnd, length: count + 1) : .open
    }
}

extension PlainCallScanner {
    private mutating func readTail(_ byte: UInt8) -> CallVerdict {
        if byte.isSpacing { return .open }
        if byte == UInt8(ascii: "`"), fenceLength > 0 {
            closingFenceLength = 1
            stage = .closingFence
            return .open
        }
        guard !isWrapper, rules.allowsBareCalls else { return .text }
        if byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") { return .open }
        return byte == UInt8(ascii: "{") ? beginObject(byte) : .text
    }

    private mutating func readClosingFence(_ byte: UInt8) -> CallVerdict {
        if byte == UInt8(ascii: "`") {
            closingFenceLength += 1
            return .open
        }
        guard closingFenceLength >= fenceLength else { return .text }
        stage = .afterFence
        return readAfterFence(byte)
    }

    private mutating func readAfterFence(_ byte: UInt8) -> CallVerdict {
        guard byte.isSpacing else { return .text }
        guard byte == UInt8(ascii: "\n"), isWrapper else { return .open }
        return .complete(body: bodyStart..<bodyEnd, length: count + 1)
    }
}
