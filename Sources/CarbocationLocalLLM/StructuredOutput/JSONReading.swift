/// A recogniser of RFC 8259 for all candidates that begin within one another.
///
/// A candidate is the text from a `{` or `[` on. Where a container is opened as a value of another one, both are read
/// alike from there on: they fail at the same byte, and each closes with its own bracket. So one stack of open
/// containers stands for all these candidates, the outermost at its bottom, and a byte costs the same however many
/// there are. A candidate nested deeper than ``maximumDepth`` leaves at the bottom, the ones in it go on.
struct JSONReading: Sendable {
    /// What a byte did to a reading.
    enum Step: Sendable {
        /// The open containers may still become values.
        case continues
        /// The innermost container is complete, see ``JSONReading/closed``.
        case closes
        /// No open container can become a value; the reading is over.
        case fails
    }

    /// How deep containers may be nested, a candidate itself included.
    static let maximumDepth = 256

    private struct Container {
        let offset: Int
        let isArray: Bool
        var isBare = true
    }

    private enum State {
        /// Between tokens, where something is awaited.
        case elementOrClose, value, keyOrClose, key, colon, commaOrClose
        /// Within a string.
        case text, escape, hexadecimal(missing: Int)
        /// Within `true`, `false` or `null`: the bytes that are missing, the next one lowest.
        case keyword(missing: UInt32)
        case number(NumberPart)
    }

    private enum NumberPart {
        case sign, zero, integer, point, fraction, exponentMark, exponentSign, exponent

        /// Whether a number may end with this part.
        var isWhole: Bool {
            switch self {
            case .zero, .integer, .fraction, .exponent: true
            case .sign, .point, .exponentMark, .exponentSign: false
            }
        }
    }

    /// Whether there is a candidate.
    private(set) var isOpen = false
    /// Whether the next byte belongs to a string.
    private(set) var isInText = false
    /// The container that was completed last.
    private(set) var closed = JSONCandidate(range: 0..<0, isBare: true)

    private let allowsRawControls: Bool
    private var state = State.value
    private var isKey = false
    private var innermost = Container(offset: 0, isArray: true)
    /// The containers around the innermost one, from `bottom` on; those before it were nested too deep.
    private var outer: [Container] = []
    private var bottom = 0

    /// Creates a reading without candidates; `allowsRawControls` lets control characters stand in strings.
    init(allowsRawControls: Bool) {
        self.allowsRawControls = allowsRawControls
    }

    /// Where the outermost candidate begins.
    var start: Int? {
        guard isOpen else { return nil }
        return bottom < outer.count ? outer[bottom].offset : innermost.offset
    }

    /// Begins anew with the candidate whose bracket stands at `offset`.
    mutating func open(_ bracket: UInt8, at offset: Int) {
        isOpen = true
        begin(bracket, at: offset)
    }

    /// Reads the byte at `offset`.
    mutating func step(_ byte: UInt8, at offset: Int) -> Step {
        switch state {
        case .text: stepText(byte)
        case .escape: stepEscape(byte)
        case .hexadecimal(let missing): stepHexadecimal(byte, missing: missing)
        case .keyword(let missing): stepKeyword(byte, missing: missing)
        case .number(let part): stepNumber(byte, after: part, at: offset)
        case .elementOrClose, .value, .keyOrClose, .key, .colon, .commaOrClose: stepBetween(byte, at: offset)
        }
    }

    private mutating func go(to next: State) -> Step {
        state = next
        return .continues
    }

    private mutating func fail() -> Step {
        end()
        return .fails
    }

    private mutating func end() {
        isOpen = false
        isInText = false
        outer.removeAll(keepingCapacity: true)
        bottom = 0
    }
}

// MARK: Containers

extension JSONReading {
    private mutating func begin(_ bracket: UInt8, at offset: Int) {
        let isArray = bracket == UInt8(ascii: "[")
        innermost = Container(offset: offset, isArray: isArray)
        state = isArray ? .elementOrClose : .keyOrClose
    }

    private mutating func beginInner(_ bracket: UInt8, at offset: Int) {
        outer.append(innermost)
        begin(bracket, at: offset)
        guard outer.count - bottom == Self.maximumDepth else { return }
        bottom += 1
        // Moved once in so many drops, so that a drop costs the same on average however many there are.
        if bottom == Self.maximumDepth {
            outer.removeFirst(bottom)
            bottom = 0
        }
    }

    private mutating func close(at offset: Int) -> Step {
        closed = JSONCandidate(range: innermost.offset..<offset + 1, isBare: innermost.isBare)
        if bottom < outer.count {
            innermost = outer.removeLast()
            state = .commaOrClose
        } else {
            end()
        }
        return .closes
    }

    private mutating func stepBetween(_ byte: UInt8, at offset: Int) -> Step {
        if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { return .continues }
        switch (state, byte) {
        case (.elementOrClose, UInt8(ascii: "]")), (.keyOrClose, UInt8(ascii: "}")): return close(at: offset)
        case (.elementOrClose, _), (.value, _): return beginValue(byte, at: offset)
        case (.keyOrClose, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")): return beginKey()
        case (.colon, UInt8(ascii: ":")): return go(to: .value)
        case (.commaOrClose, UInt8(ascii: ",")): return go(to: innermost.isArray ? .value : .key)
        case (.commaOrClose, UInt8(ascii: "]")) where innermost.isArray: return close(at: offset)
        case (.commaOrClose, UInt8(ascii: "}")) where !innermost.isArray: return close(at: offset)
        default: return fail()
        }
    }

    private mutating func beginKey() -> Step {
        innermost.isBare = false
        beginText(isKey: true)
        return .continues
    }

    private mutating func beginText(isKey: Bool) {
        self.isKey = isKey
        isInText = true
        state = .text
    }

    private mutating func beginValue(_ byte: UInt8, at offset: Int) -> Step {
        switch byte {
        case UInt8(ascii: "-"): return go(to: .number(.sign))
        case UInt8(ascii: "0"): return go(to: .number(.zero))
        case UInt8(ascii: "1")...UInt8(ascii: "9"): return go(to: .number(.integer))
        default: innermost.isBare = false
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): beginInner(byte, at: offset)
        case UInt8(ascii: "\""): beginText(isKey: false)
        case UInt8(ascii: "t"): state = .keyword(missing: Self.packed("rue"))
        case UInt8(ascii: "f"): state = .keyword(missing: Self.packed("alse"))
        case UInt8(ascii: "n"): state = .keyword(missing: Self.packed("ull"))
        default: return fail()
        }
        return .continues
    }
}

// MARK: Scalars

extension JSONReading {
    private mutating func stepText(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "\""):
            isInText = false
            return go(to: isKey ? .colon : .commaOrClose)
        case UInt8(ascii: "\\"): return go(to: .escape)
        case 0x00..<0x20: return allowsRawControls ? .continues : fail()
        default: return .continues
        }
    }

    private mutating func stepEscape(_ byte: UInt8) -> Step {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            go(to: .text)
        case UInt8(ascii: "u"): go(to: .hexadecimal(missing: 4))
        default: fail()
        }
    }

    private mutating func stepHexadecimal(_ byte: UInt8, missing: Int) -> Step {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            go(to: missing == 1 ? .text : .hexadecimal(missing: missing - 1))
        default: fail()
        }
    }

    private mutating func stepKeyword(_ byte: UInt8, missing: UInt32) -> Step {
        guard byte == UInt8(truncatingIfNeeded: missing) else { return fail() }
        return go(to: missing >> 8 == 0 ? .commaOrClose : .keyword(missing: missing >> 8))
    }

    private static func packed(_ bytes: StaticString) -> UInt32 {
        (0..<bytes.utf8CodeUnitCount).reversed().reduce(0) { $0 << 8 | UInt32(bytes.utf8Start[$1]) }
    }

    private mutating func stepNumber(_ byte: UInt8, after part: NumberPart, at offset: Int) -> Step {
        if let next = Self.numberPart(for: byte, after: part) { return go(to: .number(next)) }
        guard part.isWhole else { return fail() }
        state = .commaOrClose
        return stepBetween(byte, at: offset)
    }

    /// The part of the number that `byte` is; nil where no number goes on with it.
    private static func numberPart(for byte: UInt8, after part: NumberPart) -> NumberPart? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            switch part {
            case .sign: byte == UInt8(ascii: "0") ? .zero : .integer
            case .zero: nil
            case .integer: .integer
            case .point, .fraction: .fraction
            case .exponentMark, .exponentSign, .exponent: .exponent
            }
        case UInt8(ascii: "."): part == .zero || part == .integer ? .point : nil
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            part == .zero || part == .integer || part == .fraction ? .exponentMark : nil
        case UInt8(ascii: "+"), UInt8(ascii: "-"): part == .exponentMark ? .exponentSign : nil
        default: nil
        }
    }
}
