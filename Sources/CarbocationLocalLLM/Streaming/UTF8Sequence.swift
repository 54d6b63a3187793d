/// What the bytes of UTF-8 say about each other, by the Unicode Standard's table of well-formed sequences.
package enum UTF8Sequence {
    /// How many bytes a character that starts with `lead` has; 0 if none starts with it.
    static func length(lead: UInt8) -> Int {
        switch lead {
        case 0x00...0x7F: 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// The bytes that may follow `lead`: overlong forms, surrogates and values beyond Unicode are cut off here.
    static func secondBytes(lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }

    /// How many bytes at the end are the beginning of a character that may still be completed, 0 to 3.
    static func incompleteTailLength(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        for tail in 1...3 where tail <= bytes.count {
            let start = bytes.count - tail
            let byte = bytes[start]
            if 0x80...0xBF ~= byte { continue }
            guard length(lead: byte) > tail else { return 0 }
            guard tail == 1 || secondBytes(lead: byte).contains(bytes[start + 1]) else { return 0 }
            return tail
        }
        return 0
    }

    /// How many bytes at the end are the beginning of a character that may still be completed, 0 to 3.
    static func incompleteTailLength(of bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { incompleteTailLength(of: $0) }
    }

    /// Where the first byte stands that is not part of a whole character; nil if there is none.
    package static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var start = 0
        while start < bytes.count {
            let length = length(lead: bytes[start])
            guard length > 0, start + length <= bytes.count else { return start }
            if length > 1 {
                guard secondBytes(lead: bytes[start]).contains(bytes[start + 1]) else { return start }
                for offset in start + 2..<max(start + 2, start + length) where !(0x80...0xBF ~= bytes[offset]) {
                    return start
                }
            }
            start += length
        }
        return nil
    }
}
