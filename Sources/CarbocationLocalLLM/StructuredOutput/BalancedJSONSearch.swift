/// Looks for the JSON value that a text gives as its answer, while the text grows.
///
/// The value is the first candidate that closes, see ``JSONCandidateScanner``, unless it is weak: an empty container or
/// an array of bare numbers with text before it, such as the `[1]` of a footnote. The first weak one is taken only when
/// the text has ended without a better one. Linear in the length of the text, however it is cut into pieces.
package struct BalancedJSONSearch: Sendable {
    /// The value, once it is found.
    package private(set) var accepted: Range<Int>?
    /// The first weak candidate that closed.
    package private(set) var weak: Range<Int>?

    private var scanner: JSONCandidateScanner
    /// The first candidate that is not weak; it counts once no candidate before it is open.
    private var closed: Range<Int>?
    private var hasOpener = false
    private var isBlankSoFar = true
    /// The opener that has nothing but white space before it.
    private var leadingOpener: Int?

    /// Creates a search.
    ///
    /// - Parameter allowsRawControls: Whether control characters may stand in strings, which RFC 8259 forbids.
    package init(allowsRawControls: Bool = false) {
        scanner = JSONCandidateScanner(allowsRawControls: allowsRawControls)
    }

    /// Where the candidate begins that is read now, in bytes; nil if there is none.
    package var openCandidate: Int? {
        accepted == nil ? scanner.openCandidate : nil
    }

    /// Adds text; what follows the value is not looked at.
    package mutating func push(_ text: String) {
        guard accepted == nil else { return }
        noteFirstOpener(in: text)
        var text = text
        text.withUTF8 { bytes in
            var position = 0
            while accepted == nil, position < bytes.count {
                if let candidate = scanner.advance(in: bytes, from: &position) { note(candidate) }
                // It may also count because the candidates before it were dropped since.
                if let closed, closed.lowerBound < scanner.openCandidate ?? .max { accepted = closed }
            }
        }
    }

    /// The value of a text that ended here; nil if it has none.
    ///
    /// A candidate that is still open is incomplete, and nothing in it is a value of its own.
    package var valueAtEnd: Range<Int>? {
        if let accepted { return accepted }
        guard let weak, weak.lowerBound < scanner.openCandidate ?? .max else { return nil }
        return weak
    }

    private mutating func noteFirstOpener(in text: String) {
        guard !hasOpener else { return }
        let opener = text.utf8.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        isBlankSoFar = isBlankSoFar && text[..<(opener ?? text.endIndex)].isBlank
        guard let opener else { return }
        hasOpener = true
        if isBlankSoFar { leadingOpener = scanner.count + text.utf8.distance(from: text.startIndex, to: opener) }
    }

    private mutating func note(_ candidate: JSONCandidate) {
        if candidate.isBare, candidate.range.lowerBound != leadingOpener {
            // They contain no others, so they close in the order in which they begin.
            weak = weak ?? candidate.range
        } else if candidate.range.lowerBound < closed?.lowerBound ?? .max {
            closed = candidate.range
        }
    }
}
