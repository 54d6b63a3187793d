/// Writes JSON values as text.
///
/// Keeps the open containers in a list of its own, so that depth costs no stack.
struct JSONWriter {
    private enum Frame {
        case array(elements: [LLMJSONValue], next: Int)
        case object(pairs: [(key: String, value: LLMJSONValue)], next: Int)
    }

    let prettyPrinted: Bool
    let sortedKeys: Bool
    private var output: [UInt8] = []
    private var frames: [Frame] = []

    init(prettyPrinted: Bool, sortedKeys: Bool) {
        self.prettyPrinted = prettyPrinted
        self.sortedKeys = sortedKeys
    }

    mutating func write(_ value: LLMJSONValue) -> String {
        begin(value)
        while let frame = frames.popLast() { resume(frame) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Writes a scalar or an empty container whole, and opens any other container.
    private mutating func begin(_ value: LLMJSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .int(let number): append(String(number))
        case .double(let number): append(number.isFinite ? String(number) : "null")
        case .string(let text): appendQuoted(text)
        case .array(let elements) where elements.isEmpty: append("[]")
        case .array(let elements):
            append("[")
            frames.append(.array(elements: elements, next: 0))
        case .object(let object):
            let pairs = sortedKeys ? object.pairs.sorted { $0.key < $1.key } : object.pairs
            append(pairs.isEmpty ? "{}" : "{")
            if !pairs.isEmpty { frames.append(.object(pairs: pairs, next: 0)) }
        }
    }

    /// Writes the next member of an open container, or closes it.
    private mutating func resume(_ frame: Frame) {
        switch frame {
        case .array(let elements, let next):
            guard next < elements.count else { return close("]") }
            frames.append(.array(elements: elements, next: next + 1))
            separate(isFirst: next == 0)
            begin(elements[next])
        case .object(let pairs, let next):
            guard next < pairs.count else { return close("}") }
            frames.append(.object(pairs: pairs, next: next + 1))
            separate(isFirst: next == 0)
            appendQuoted(pairs[next].key)
            append(prettyPrinted ? ": " : ":")
            begin(pairs[next].value)
        }
    }

    private mutating func separate(isFirst: Bool) {
        if !isFirst { append(",") }
        if prettyPrinted { breakLine() }
    }

    private mutating func close(_ bracket: String) {
        if prettyPrinted { breakLine() }
        append(bracket)
    }

    private mutating func breakLine() {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * frames.count))
    }

    private mutating func append(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    private mutating func appendQuoted(_ text: String) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case UInt8(ascii: "\r"): append("\\r")
            case UInt8(ascii: "\t"): append("\\t")
            case 0x08: append("\\b")
            case 0x0C: append("\\f")
            case 0..<0x20: append("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
