/// How a tag opens a function or a parameter and names it.
package struct OpeningTag: Sendable, Hashable {
    /// What stands before the name, as in `<function=`; empty if the name stands by itself.
    package var prefix: String
    /// What ends the name, if attributes may follow before the tag's end: `"`.
    package var nameEnd: String
    /// What ends the tag: `>`.
    package var end: String

    /// What stands after the name if there are no attributes.
    var suffix: String { nameEnd + end }

    package init(prefix: String, nameEnd: String = "", end: String) {
        self.prefix = prefix
        self.nameEnd = nameEnd
        self.end = end
    }

    /// Takes the texts before and after a name apart, as they were found in a template's output.
    ///
    /// - Parameters:
    ///   - prefix: What stood before the name.
    ///   - suffix: What stood after it, with the attributes of that tag, whose values may be others elsewhere.
    package init(prefix: String, suffix: String) {
        let suffix = suffix.trimmed
        self.prefix = prefix.trimmed
        let quote = self.prefix.last == "\"" || self.prefix.last == "'" ? self.prefix.last : nil
        if let quote, suffix.first == quote, let end = Self.tagEnd(in: suffix.dropFirst()) {
            nameEnd = String(quote)
            self.end = end
        } else {
            nameEnd = ""
            end = suffix
        }
    }

    /// What follows the attributes: the text after the last quote.
    private static func tagEnd(in text: Substring) -> String? {
        let end = text.split(separator: "\"", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return end.trimmed.isEmpty ? nil : end.trimmed
    }
}
