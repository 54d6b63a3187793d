extension JSONParser {
    /// Reads a number: an integer if it has neither fraction nor exponent and fits 64 bits, else a double.
    mutating func parseNumber() throws -> LLMJSONValue {
        let start = position
        let isNegative = skip(UInt8(ascii: "-"))
        var magnitude = Int64(0)
        var isInteger = true
        // Counted down, because the range of Int64 reaches further below zero.
        let leading = try parseDigits { digit in
            guard isInteger else { return }
            let (shifted, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = shifted.subtractingReportingOverflow(Int64(digit))
            magnitude = sum
            isInteger = !overflow && !carry
        }
        guard leading.count == 1 || bytes[leading.lowerBound] != UInt8(ascii: "0") else {
            throw Self.syntaxError("a number with a leading zero", at: leading.lowerBound)
        }
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            _ = try parseDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
            _ = try parseDigits()
        }
        if isInteger {
            if isNegative { return .int(magnitude) }
            if magnitude != .min { return .int(-magnitude) }
        }
        return .double(try double(from: start))
    }

    private mutating func parseDigits(_ visit: (UInt8) -> Void = { _ in }) throws -> Range<Int> {
        let start = position
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            visit(byte - UInt8(ascii: "0"))
            position += 1
        }
        guard position > start else { throw unexpected("a digit") }
        return start..<position
    }

    /// The double written from `start` to the position; beyond its range is an error, because what would come out
    /// of it, infinity, is no JSON.
    private func double(from start: Int) throws -> Double {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw Self.syntaxError("a number out of range", at: start)
        }
        return number
    }
}
