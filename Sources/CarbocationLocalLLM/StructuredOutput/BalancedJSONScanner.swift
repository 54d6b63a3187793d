/// Finds the JSON object or array that a model's answer consists of, in the text around it.
///
/// The same rule ends a generation with ``GenerationOptions/stopAtBalancedJSON``.
public enum BalancedJSONScanner {
    /// Where the first acceptable JSON object or array stands in a text.
    ///
    /// A candidate begins with any `{` or `[` and is checked against RFC 8259, to at most 256 levels of nesting; one
    /// that is no JSON is passed over, and those in it are tried. An empty container or an array of bare numbers that
    /// follows other text is taken for prose, unless the text has ended without a better one. A value that the end
    /// cuts off is none, and neither is anything in it. Takes time in proportion to the text.
    ///
    /// - Parameters:
    ///   - text: The answer so far, without thinking.
    ///   - atEnd: Whether the answer is complete.
    /// - Returns: The range of the value, from bracket to bracket; nil if there is none, or none yet.
    public static func firstValueRange(in text: String, atEnd: Bool) -> Range<String.Index>? {
        var search = BalancedJSONSearch()
        search.push(text)
        guard let range = atEnd ? search.valueAtEnd : search.accepted else { return nil }
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return start..<text.utf8.index(start, offsetBy: range.count)
    }
}
