import Foundation

/// The members of a JSON object as they are written.
///
/// Takes an object apart and puts it together again without reading the values, so that a value nobody here knows comes
/// back byte for byte. Both take time in proportion to the bytes.
struct RawJSONMembers {
    private struct Member {
        var name: String
        var quotedName: ArraySlice<UInt8>
        var value: ArraySlice<UInt8>
    }

    private var members: [Member] = []

    /// An object without members.
    init() {}

    /// Takes an object apart; nil when the bytes are none.
    init?(_ data: Data) {
        var cursor = Cursor(bytes: Array(data))
        guard cursor.skip(UInt8(ascii: "{")) else { return nil }
        if !cursor.skip(UInt8(ascii: "}")) {
            repeat {
                guard let quotedName = cursor.string(), cursor.skip(UInt8(ascii: ":")), let value = cursor.value(),
                    case .string(let name)? = try? LLMJSONValue(jsonData: Data(quotedName))
                else { return nil }
                members.append(Member(name: name, quotedName: quotedName, value: value))
            } while cursor.skip(UInt8(ascii: ","))
            guard cursor.skip(UInt8(ascii: "}")) else { return nil }
        }
        guard cursor.isAtEnd else { return nil }
    }

    /// The value under a name, the last of several.
    func value(named name: String) -> Data? {
        members.last { $0.name == name }.map { Data($0.value) }
    }

    /// Sets the value under a name, in place of all that were there.
    mutating func set(_ value: Data, named name: String) {
        members.removeAll { $0.name == name }
        let quotedName = LLMJSONValue.string(name).jsonString()
        members.append(Member(name: name, quotedName: Array(quotedName.utf8)[...], value: Array(value)[...]))
    }

    /// The object, written compactly between its values.
    var data: Data {
        var bytes = Data("{".utf8)
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: member.quotedName)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: member.value)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

/// Finds the ends of strings and values.
private struct Cursor {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether only white space is left.
    var isAtEnd: Bool {
        mutating get {
            skipWhiteSpace()
            return position == bytes.count
        }
    }

    /// Passes a byte, and white space before it.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipWhiteSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// A string with its quotes.
    mutating func string() -> ArraySlice<UInt8>? {
        skipWhiteSpace()
        let start = position
        return skipString() ? bytes[start..<position] : nil
    }

    /// Everything up to the comma or brace after a value, without white space around it.
    mutating func value() -> ArraySlice<UInt8>? {
        skipWhiteSpace()
        let start = position
        var end = start
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard skipString() else { return nil }
                end = position
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ","), UInt8(ascii: "}"):
                if depth == 0 { return end > start ? bytes[start..<end] : nil }
                if bytes[position] == UInt8(ascii: "}") { depth -= 1 }
            case UInt8(ascii: "]"):
                if depth == 0 { return nil }
                depth -= 1
            default: break
            }
            position += 1
            if !Self.isWhiteSpace(bytes[position - 1]) { end = position }
        }
        return nil
    }

    private mutating func skipString() -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return false }
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return true }
        }
        return false
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, Self.isWhiteSpace(bytes[position]) { position += 1 }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
