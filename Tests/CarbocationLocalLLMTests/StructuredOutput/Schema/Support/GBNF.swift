/// A part of a grammar as the tests read it.
indirect enum GBNFPart: Hashable {
    case text([Unicode.Scalar])
    case set([ClosedRange<UInt32>])
    case rule(String)
    case sequence([GBNFPart])
    case choice([GBNFPart])
    case repetition(GBNFPart, Int, Int?)
}

/// Reads the GBNF that schemas are turned into; anything else is an error.
struct GBNFReader {
    struct Unexpected: Error {
        var rest: String
    }

    private var rest: Substring.UnicodeScalarView

    static func rules(of text: String) throws -> [String: GBNFPart] {
        var reader = GBNFReader(rest: text[...].unicodeScalars)
        var rules: [String: GBNFPart] = [:]
        while !reader.rest.isEmpty {
            let name = try reader.name()
            try reader.take(" ::= ")
            let part = try reader.alternatives()
            guard rules.updateValue(part, forKey: name) == nil else { throw Unexpected(rest: name) }
            try reader.take("\n")
        }
        return rules
    }

    private func unexpected() -> Unexpected {
        Unexpected(rest: String(Substring(rest).prefix(60)))
    }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func take(_ text: String) throws {
        guard skip(text) else { throw unexpected() }
    }

    private mutating func name() throws -> String {
        let letters = rest.prefix { $0.properties.isASCIIHexDigit || ("a"..."z").contains($0) || $0 == "-" }
        guard !letters.isEmpty else { throw unexpected() }
        rest = rest.dropFirst(letters.count)
        return String(Substring(letters))
    }

    private mutating func alternatives() throws -> GBNFPart {
        var parts = [try sequence()]
        while skip(" | ") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws -> GBNFPart {
        var parts = [try repeated()]
        while let next = rest.first, next == " ", rest.dropFirst().first != "|", skip(" ") {
            parts.append(try repeated())
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func repeated() throws -> GBNFPart {
        let part = try atom()
        if skip("*") { return .repetition(part, 0, nil) }
        if skip("+") { return .repetition(part, 1, nil) }
        if skip("?") { return .repetition(part, 0, 1) }
        guard skip("{") else { return part }
        let bounds = String(Substring(rest.prefix { $0 != "}" }))
        rest = rest.dropFirst(bounds.unicodeScalars.count)
        try take("}")
        let numbers = bounds.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard let minimum = numbers[0] else { throw unexpected() }
        return .repetition(part, minimum, numbers.count == 1 ? minimum : numbers[1])
    }

    private mutating func atom() throws -> GBNFPart {
        if skip("(") {
            let inner = try alternatives()
            try take(")")
            return inner
        }
        if skip("\"") {
            var scalars: [Unicode.Scalar] = []
            while !skip("\"") { scalars.append(try scalar()) }
            return .text(scalars)
        }
        if skip(".") { return .set([0...0x10FFFF]) }
        if skip("[") { return .set(try set()) }
        return .rule(try name())
    }

    private mutating func set() throws -> [ClosedRange<UInt32>] {
        let isNegated = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !skip("]") {
            let low = try scalar().value
            ranges.append(low...(skip("-") ? try scalar().value : low))
        }
        guard isNegated else { return ranges }
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        return gaps + [next...0x10FFFF]
    }

    private mutating func scalar() throws -> Unicode.Scalar {
        guard let scalar = rest.popFirst() else { throw unexpected() }
        guard scalar == "\\" else { return scalar }
        guard let kind = rest.popFirst() else { throw unexpected() }
        switch kind {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "x": return try hexadecimal(2)
        case "u": return try hexadecimal(4)
        case "U": return try hexadecimal(8)
        case "\\", "\"", "[", "]", "-": return kind
        default: throw unexpected()
        }
    }

    private mutating func hexadecimal(_ count: Int) throws -> Unicode.Scalar {
        let digits = String(Substring(rest.prefix(count)))
        rest = rest.dropFirst(count)
        guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else { throw unexpected() }
        return scalar
    }
}
