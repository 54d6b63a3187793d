/// References within one schema: `#`, and `#` with a JSON pointer.
package enum SchemaReference {
    /// The part of the schema that a reference names; nil for references to elsewhere and to nothing.
    package static func resolve(_ reference: String, in root: LLMJSONValue) -> LLMJSONValue? {
        guard reference.utf8.first == UInt8(ascii: "#") else { return nil }
        let pointer = reference.dropFirst()
        guard !pointer.isEmpty else { return root }
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var value = root
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let member = member(named: unescaped(part), of: value) else { return nil }
            value = member
        }
        return value
    }

    private static func member(named name: String, of value: LLMJSONValue) -> LLMJSONValue? {
        switch value {
        case .object(let object):
            return object[name]
        case .array(let elements):
            guard let index = Int(name), elements.indices.contains(index) else { return nil }
            return elements[index]
        default:
            return nil
        }
    }

    private static func unescaped(_ part: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(part.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let decoded = hexadecimal(rest.prefix(2)) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return pointerUnescaped(bytes)
    }

    private static func pointerUnescaped(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "~"), rest.first == UInt8(ascii: "0") || rest.first == UInt8(ascii: "1") {
                output.append(rest.removeFirst() == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
