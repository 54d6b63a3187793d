/// The rule for balanced JSON as it is worded: one candidate after the other, each read anew from its opener.
///
/// Quadratic, and so only for short texts.
enum BalancedJSONReference {
    enum Fate: Error, Equatable {
        case closed(end: Int)
        case dropped
        case incomplete
    }

    /// The value, and where the candidate begins that is open at the end.
    static func search(_ text: String, atEnd: Bool) -> (value: Range<Int>?, open: Int?) {
        let bytes = Array(text.utf8)
        var weak: Range<Int>?
        var start = 0
        while start < bytes.count {
            defer { start += 1 }
            guard isOpener(bytes[start]) else { continue }
            switch fate(of: bytes, from: start) {
            case .dropped: continue
            case .incomplete: return (atEnd ? weak : nil, start)
            case .closed(let end):
                let before = String(decoding: bytes[..<start], as: UTF8.self)
                let isLeading = before.unicodeScalars.allSatisfy(\.properties.isWhitespace)
                guard !isLeading, isBare(bytes[start..<end]) else { return (start..<end, nil) }
                weak = weak ?? start..<end
            }
        }
        return (atEnd ? weak : nil, nil)
    }

    static func isOpener(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    /// Whether the container holds nothing, or is an array of nothing but numbers.
    private static func isBare(_ value: ArraySlice<UInt8>) -> Bool {
        let inner = value.dropFirst().dropLast()
        let isObject = value.first == UInt8(ascii: "{")
        return inner.allSatisfy {
            isObject ? isWhiteSpace($0) : isWhiteSpace($0) || ",+-.eE0123456789".utf8.contains($0)
        }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        " \n\r\t".utf8.contains(byte)
    }

    static func fate(of bytes: [UInt8], from start: Int) -> Fate {
        var reader = Reader(bytes: bytes, position: start)
        do {
            try reader.value(depth: 0)
            return .closed(end: reader.position)
        } catch {
            return error
        }
    }

    /// A recursive reader that throws the fate of a value that is not complete.
    private struct Reader {
        let bytes: [UInt8]
        var position: Int

        mutating func next() throws(Fate) -> UInt8 {
            guard position < bytes.count else { throw .incomplete }
            position += 1
            return bytes[position - 1]
        }

        func peek() throws(Fate) -> UInt8 {
            guard position < bytes.count else { throw .incomplete }
            return bytes[position]
        }

        mutating func expect(_ text: String) throws(Fate) {
            for byte in text.utf8 where try next() != byte { throw .dropped }
        }

        mutating func skipWhiteSpace() throws(Fate) {
            while BalancedJSONReference.isWhiteSpace(try peek()) { position += 1 }
        }

        mutating func value(depth: Int) throws(Fate) {
            try skipWhiteSpace()
            switch try peek() {
            case UInt8(ascii: "{"): try members(close: "}", depth: depth + 1, hasKeys: true)
            case UInt8(ascii: "["): try members(close: "]", depth: depth + 1, hasKeys: false)
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "t"): try expect("true")
            case UInt8(ascii: "f"): try expect("false")
            case UInt8(ascii: "n"): try expect("null")
            default: try number()
            }
        }

        mutating func members(close: String, depth: Int, hasKeys: Bool) throws(Fate) {
            guard depth <= 256 else { throw .dropped }
            position += 1
            try skipWhiteSpace()
            let closing = Array(close.utf8)[0]
            if try peek() == closing {
                position += 1
                return
            }
            while true {
                try skipWhiteSpace()
                if hasKeys {
                    guard try peek() == UInt8(ascii: "\"") else { throw .dropped }
                    try string()
                    try skipWhiteSpace()
                    try expect(":")
                }
                try value(depth: depth)
                try skipWhiteSpace()
                let byte = try next()
                if byte == closing { return }
                guard byte == UInt8(ascii: ",") else { throw .dropped }
            }
        }

        mutating func string() throws(Fate) {
            position += 1
            while true {
                switch try next() {
                case UInt8(ascii: "\""): return
                case 0x00..<0x20: throw .dropped
                case UInt8(ascii: "\\"):
                    let escape = try next()
                    guard "\"\\/bfnrtu".utf8.contains(escape) else { throw .dropped }
                    guard escape == UInt8(ascii: "u") else { continue }
                    for _ in 0..<4 where !"0123456789abcdefABCDEF".utf8.contains(try next()) { throw .dropped }
                default: continue
                }
            }
        }

        mutating func number() throws(Fate) {
            if try peek() == UInt8(ascii: "-") { position += 1 }
            if try peek() == UInt8(ascii: "0") { position += 1 } else { try digits() }
            if try peek() == UInt8(ascii: ".") {
                position += 1
                try digits()
            }
            if "eE".utf8.contains(try peek()) {
                position += 1
                if "+-".utf8.contains(try peek()) { position += 1 }
                try digits()
            }
        }

        mutating func digits() throws(Fate) {
            guard "0123456789".utf8.contains(try next()) else { throw .dropped }
            while "0123456789".utf8.contains(try peek()) { position += 1 }
        }
    }
}
