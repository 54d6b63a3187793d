/// Tells, while it is being written, whether a JSON object is a call: `{"name": …, "arguments": {…}}`.
///
/// It gives up at the first thing that no call contains, so that an answer in JSON is not held back for long. The name
/// has to be a declared tool's.
struct BareCallProbe: Sendable {
    enum Verdict: Sendable, Hashable {
        case open
        /// No call is written like this.
        case noCall
        /// The first key is `tool_calls` and a list follows: a list of calls.
        case wrapper
        /// The object has ended, and it is a call.
        case call
    }

    private enum Expectation: Sendable, Hashable {
        case opener, keyOrEnd, key, colon, value, separator, list
    }

    private static let otherKeys = CallObject.idKeys + ["type", "index"]
    private static let wrapperKey = "tool_calls"
    private static let longestText = 512

    private let names: Set<String>
    private let allowsCall: Bool
    private let allowsWrapper: Bool

    private var expectation = Expectation.opener
    /// Follows a container that is of no interest.
    private var container: BodyEndScanner?
    private var text: [UInt8]?
    private var textIsEscaped = false
    private var key = ""
    private var keyCount = 0
    /// Whether the value that is being read is a name's.
    private var isNameValue = false
    private var isInScalar = false
    /// 1 in the call itself, 2 in the object under its key `function`.
    private var depth = 0
    private(set) var hasName = false
    private var hasArguments = false

    init(names: Set<String>, allowsCall: Bool, allowsWrapper: Bool) {
        self.names = names
        self.allowsCall = allowsCall
        self.allowsWrapper = allowsWrapper
    }

    mutating func read(_ byte: UInt8) -> Verdict {
        if text != nil { return readText(byte) }
        if container != nil {
            if container?.scan(byte) == true { container = nil }
            return .open
        }
        guard !byte.isSpacing else { return .open }
        switch (expectation, byte) {
        case (.opener, UInt8(ascii: "{")): return openObject()
        case (.keyOrEnd, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")): text = []
        case (.keyOrEnd, UInt8(ascii: "}")), (.separator, UInt8(ascii: "}")): return closeObject()
        case (.separator, UInt8(ascii: ",")): expectation = .key
        case (.colon, UInt8(ascii: ":")): expectation = key == Self.wrapperKey && depth == 1 ? .list : .value
        case (.list, UInt8(ascii: "[")): return .wrapper
        case (.value, _): return beginValue(byte)
        // The rest of a number, a boolean or null.
        case (.separator, _): return isInScalar && (byte.isNamePart || byte == UInt8(ascii: "+")) ? .open : .noCall
        default: return .noCall
        }
        return .open
    }

    private mutating func openObject() -> Verdict {
        depth += 1
        expectation = .keyOrEnd
        return .open
    }

    private mutating func closeObject() -> Verdict {
        depth -= 1
        expectation = .separator
        guard depth == 0 else { return .open }
        return allowsCall && hasName && hasArguments ? .call : .noCall
    }

    private mutating func beginValue(_ byte: UInt8) -> Verdict {
        expectation = .separator
        isInScalar = false
        isNameValue = CallObject.nameKeys.contains(key)
        switch byte {
        case UInt8(ascii: "\""): text = []
        case UInt8(ascii: "{") where key == "function" && depth == 1: return openObject()
        case _ where isNameValue && !hasName: return .noCall
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            container = BodyEndScanner(.json)
            _ = container?.scan(byte)
        default:
            isInScalar = byte.isNamePart
            return isInScalar ? .open : .noCall
        }
        return .open
    }

    private mutating func readText(_ byte: UInt8) -> Verdict {
        if !textIsEscaped, byte == UInt8(ascii: "\"") { return endText() }
        textIsEscaped = !textIsEscaped && byte == UInt8(ascii: "\\")
        // Only keys and names are looked at, and these are short.
        let isOfInterest = expectation != .separator || isNameValue
        guard isOfInterest else { return .open }
        text?.append(byte)
        return (text?.count ?? 0) <= Self.longestText ? .open : .noCall
    }

    private mutating func endText() -> Verdict {
        let raw = String(decoding: text ?? [], as: UTF8.self)
        text = nil
        guard expectation == .separator else { return take(key: Self.unescaped(raw)) }
        return isNameValue ? take(name: Self.unescaped(raw)) : .open
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        return (try? LLMJSONValue(jsonString: "\"\(text)\""))?.text ?? text
    }

    private mutating func take(name: String) -> Verdict {
        // `"function": "function"` and the like beside a name is of no interest.
        if resolvedName(name.trimmed, among: names) != nil {
            hasName = true
        } else if !hasName {
            return .noCall
        }
        return .open
    }

    private mutating func take(key: String) -> Verdict {
        self.key = key
        keyCount += 1
        expectation = .colon
        if key == Self.wrapperKey, depth == 1 { return allowsWrapper && keyCount == 1 ? .open : .noCall }
        guard allowsCall else { return .noCall }
        if CallObject.argumentKeys.contains(key) {
            hasArguments = true
        } else if !CallObject.nameKeys.contains(key), !Self.otherKeys.contains(key), !hasName {
            return .noCall
        }
        return .open
    }
}
