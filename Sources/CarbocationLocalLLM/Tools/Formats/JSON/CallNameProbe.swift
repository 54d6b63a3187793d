/// Reads the name and id of a call from JSON that is cut off or malformed, as far as they are there.
///
/// Only for the answer to the model: nothing of such a call runs.
struct CallNameProbe {
    private(set) var name: String?
    private(set) var rawID: String?
    private var cursor: ByteCursor
    /// The key that was read last at each depth of objects, as far as depth matters.
    private var keys: [String?] = [nil, nil, nil]
    private var depth = 0

    /// Reads the range; with `nameIsKey`, the first key of the outermost object is the name.
    init(_ bytes: [UInt8], _ range: Range<Int>, nameIsKey: Bool = false) {
        cursor = ByteCursor(bytes, range)
        while let byte = cursor.peek {
            switch byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let text = readString(byte) else { return }
                readMember(key: text, nameIsKey: nameIsKey)
                continue
            default: break
            }
            cursor.position += 1
        }
    }

    /// Takes a string as a key, if a colon follows, and the string after that as its value.
    private mutating func readMember(key: String, nameIsKey: Bool) {
        cursor.skipWhiteSpace()
        guard depth > 0, depth < keys.count, cursor.skip(UInt8(ascii: ":")) else { return }
        keys[depth] = key
        if nameIsKey, depth == 1, name == nil { name = key }
        cursor.skipWhiteSpace()
        let isCall = depth == 1 || keys[1] == "function"
        guard isCall, let quote = cursor.peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let text = readString(quote), !text.isEmpty
        else { return }
        if !nameIsKey, name == nil, CallObject.nameKeys.contains(key) { name = text }
        if depth == 1, rawID == nil, CallObject.idKeys.contains(key) { rawID = text }
    }

    /// Reads a string; nil if it has no end, or is no valid one in double quotes.
    private mutating func readString(_ quote: UInt8) -> String? {
        let start = cursor.position
        var isEscaped = false
        cursor.position += 1
        while let byte = cursor.peek {
            cursor.position += 1
            if byte == quote, !isEscaped { return decoded(start..<cursor.position) }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return nil
    }

    private func decoded(_ range: Range<Int>) -> String {
        let quoted = cursor.text(range)
        return (try? LLMJSONValue(jsonString: quoted))?.stringValue ?? String(quoted.dropFirst().dropLast())
    }
}
