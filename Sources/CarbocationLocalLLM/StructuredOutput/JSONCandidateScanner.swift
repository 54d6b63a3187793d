/// Finds every JSON object and array in a text, whatever stands around and between them.
///
/// Outside a candidate each `{` or `[` opens one. A candidate ends where its bracket is closed, and is dropped at the
/// first byte that cannot continue it; then each bracket after its opener may open one, in its strings too. Reading
/// the text again from there would cost quadratic time, so all candidates are followed at once, and two readings are
/// enough for that:
///
/// - Of two candidates that are open at one byte, the later began either as a value of the earlier or within a string
///   of it. In the first case they share a ``JSONReading``.
/// - In the second case the earlier was inside a string and the later was not. The next quotation mark swaps that, and
///   so on, with one exception: an escaped quotation mark. But a backslash outside a string drops the candidate there,
///   and as long as the escape lasts a bracket drops the one inside. So never are two readings both inside a string or
///   both outside, and there is at most one of each.
/// - A bracket opens a reading only if none is outside a string, so one of the two is free for it.
///
/// Hence a byte costs at most two steps, each of constant cost on average. Neither the text nor its dropped candidates
/// are kept: memory is bounded by the depth limit.
package struct JSONCandidateScanner: Sendable {
    /// How many bytes were pushed.
    package private(set) var count = 0
    /// How many bytes were looked at, counted once for each reading: at most twice ``count``.
    package private(set) var steps = 0

    private var first: JSONReading
    private var second: JSONReading

    /// Creates a scanner.
    ///
    /// - Parameter allowsRawControls: Whether control characters may stand in strings, which RFC 8259 forbids.
    package init(allowsRawControls: Bool = false) {
        first = JSONReading(allowsRawControls: allowsRawControls)
        second = JSONReading(allowsRawControls: allowsRawControls)
    }

    /// Where the first candidate begins that may still be completed, in bytes; nil if none is open.
    package var openCandidate: Int? {
        guard let start = first.start else { return second.start }
        return min(start, second.start ?? start)
    }

    /// Reads bytes until one of them completes a container.
    ///
    /// - Parameters:
    ///   - bytes: A piece of valid UTF-8.
    ///   - position: Where to begin in it; moved behind the last byte that was read.
    /// - Returns: The container, of which a byte completes one at most; nil at the end of the bytes.
    package mutating func advance(
        in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int
    ) -> JSONCandidate? {
        while position < bytes.count {
            let byte = bytes[position]
            let offset = count
            position += 1
            count += 1
            var closed: JSONCandidate?
            if first.isOpen {
                steps += 1
                if first.step(byte, at: offset) == .closes { closed = first.closed }
            }
            if second.isOpen {
                steps += 1
                if second.step(byte, at: offset) == .closes { closed = second.closed }
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { openIfOutside(byte, at: offset) }
            if let closed { return closed }
        }
        return nil
    }

    /// Opens a candidate, unless the bracket was read as a value of another one.
    private mutating func openIfOutside(_ bracket: UInt8, at offset: Int) {
        if !first.isOpen {
            guard !second.isOpen || second.isInText else { return }
            first.open(bracket, at: offset)
        } else if !second.isOpen, first.isInText {
            second.open(bracket, at: offset)
        }
    }
}
