/// The `Content-Range` header, for bytes.
package enum ContentRange: Sendable, Hashable {
    /// The body is these bytes of the whole, whose length may be unknown.
    case bytes(Range<Int64>, total: Int64?)

    /// No part of what was asked for exists; the length of the whole.
    case unsatisfied(total: Int64)

    /// Reads `bytes 0-9/10`, `bytes 0-9/*` or `bytes */10`; nil for anything else, contradictions included.
    package init?(_ value: String) {
        let words = value.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Self.number(parts[1])
        if parts[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard total != nil || parts[1] == "*", ends.count == 2,
            let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < total ?? Int64.max
        else { return nil }
        self = .bytes(first..<last + 1, total: total)
    }

    /// The length of the whole, if it is told.
    package var total: Int64? {
        switch self {
        case .bytes(_, let total): total
        case .unsatisfied(let total): total
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
