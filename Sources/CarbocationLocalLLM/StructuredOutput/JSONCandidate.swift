/// A complete JSON object or array in a text.
package struct JSONCandidate: Sendable, Hashable {
    /// Where it stands, in UTF-8 bytes.
    package let range: Range<Int>
    /// Whether it is an empty container or an array of nothing but numbers, as they also occur in prose.
    package let isBare: Bool
}
