/// The formats of strings that a JSON schema can ask for, as RFC 3339 and RFC 4122 write them.
enum SchemaFormat: String {
    case date
    case time
    case dateTime = "date-time"
    case uuid

    func matches(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        switch self {
        case .date: return Self.skipDate(&bytes) && bytes.isEmpty
        case .time: return Self.skipTime(&bytes) && bytes.isEmpty
        case .dateTime:
            guard Self.skipDate(&bytes), let separator = bytes.popFirst() else { return false }
            return [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(separator)
                && Self.skipTime(&bytes) && bytes.isEmpty
        case .uuid: return Self.isUUID(Array(bytes))
        }
    }

    private static func skipDate(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        guard let year = number(&bytes, digits: 4), skip(&bytes, "-"),
            let month = number(&bytes, digits: 2), skip(&bytes, "-"),
            let day = number(&bytes, digits: 2), (1...12).contains(month)
        else { return false }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...lengths[month - 1]).contains(day)
    }

    private static func skipTime(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        guard let hour = number(&bytes, digits: 2), skip(&bytes, ":"),
            let minute = number(&bytes, digits: 2), skip(&bytes, ":"),
            let second = number(&bytes, digits: 2), hour < 24, minute < 60, second <= 60
        else { return false }
        if skip(&bytes, ".") {
            let digits = bytes.prefix { isDigit($0) }
            guard !digits.isEmpty else { return false }
            bytes = bytes.dropFirst(digits.count)
        }
        return skipOffset(&bytes)
    }

    private static func skipOffset(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        if skip(&bytes, "Z") || skip(&bytes, "z") { return true }
        guard skip(&bytes, "+") || skip(&bytes, "-"), let hour = number(&bytes, digits: 2), skip(&bytes, ":"),
            let minute = number(&bytes, digits: 2)
        else { return false }
        return hour < 24 && minute < 60
    }

    private static func isUUID(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default: Character(Unicode.Scalar(bytes[index])).isHexDigit
            }
        }
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>, digits: Int) -> Int? {
        let text = bytes.prefix(digits)
        guard text.count == digits, text.allSatisfy(isDigit) else { return nil }
        bytes = bytes.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func skip(_ bytes: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes = bytes.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
