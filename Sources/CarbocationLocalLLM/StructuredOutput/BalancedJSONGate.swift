/// Lets only the JSON value of an answer through, as it comes, for ``GenerationOptions/stopAtBalancedJSON``.
///
/// Text before the first `{` or `[` is withheld. What may become the value is let through as it comes, and taken back
/// as soon as it is known that it cannot; so is a weak candidate, see ``BalancedJSONSearch``, until the end. When the
/// text ends without a value, the whole of it is the answer.
///
/// What the outputs add up to depends only on the text so far, not on how it was cut. Their total length is linear in
/// that of the text: when one reading fails, the candidate that takes over began after the failure before, because
/// there are two readings only; and when a candidate is nested too deep, each byte is repeated at most once for each
/// of the 256 containers around it.
package struct BalancedJSONGate: Sendable {
    /// Whether the value is complete, so that the generation can end.
    package private(set) var accepted = false
    /// Whether the text ended within a candidate and without a value; set by ``finish()``.
    package private(set) var isIncomplete = false

    private var search = BalancedJSONSearch()
    private var text = ""
    /// The part of the text that was let through, in bytes.
    private var shown = 0..<0
    private var separatesNext = false
    private var hasGap = false

    /// Creates a gate for the final text of one generation.
    package init() {}

    /// Adds final text; nothing comes of it once a value was accepted.
    package mutating func push(_ addition: String) -> [BalancedJSONOutput] {
        guard !accepted, !addition.isEmpty else { return [] }
        let addition = separatesNext ? PhasedText.segmentSeparator + addition : addition
        separatesNext = false
        text += addition
        search.push(addition)
        guard let value = search.accepted else {
            return show(search.openCandidate.map { $0..<text.utf8.count } ?? 0..<0)
        }
        accepted = true
        return show(value) + [.accepted]
    }

    /// Ends a segment of the final text: what follows is set off from it as in the result.
    package mutating func segmentEnd() {
        separatesNext = !text.isEmpty
        hasGap = !shown.isEmpty
    }

    /// Ends the text: lets the value through that a complete text has, or else all of the text.
    package mutating func finish() -> [BalancedJSONOutput] {
        guard !accepted else { return [] }
        guard let value = search.valueAtEnd else {
            isIncomplete = search.openCandidate != nil
            return show(0..<text.utf8.count)
        }
        accepted = true
        return show(value) + [.accepted]
    }

    private mutating func show(_ range: Range<Int>) -> [BalancedJSONOutput] {
        defer { shown = range }
        if shown.isEmpty { return range.isEmpty ? [] : [.text(slice(range))] }
        let continues = range.lowerBound == shown.lowerBound && range.upperBound >= shown.upperBound
        guard continues, !hasGap || range == shown else {
            hasGap = false
            return [.replace(slice(range))]
        }
        return range == shown ? [] : [.text(slice(shown.upperBound..<range.upperBound))]
    }

    private func slice(_ range: Range<Int>) -> String {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
    }
}
