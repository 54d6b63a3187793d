/// An argument written as text between tags.
package struct TaggedArgument: Sendable, Hashable {
    /// What the opening tag says about the value.
    package enum Notation: Sendable, Hashable {
        /// Nothing: the schema alone tells.
        case unspecified
        /// The value is text.
        case text
        /// The value is JSON.
        case json
    }

    /// The parameter's name.
    package var key: String
    /// The value byte for byte, without the one newline after its opening and before its closing tag.
    package var text: String
    /// What the opening tag says about the value.
    package var notation: Notation

    package init(key: String, text: String, notation: Notation = .unspecified) {
        self.key = key
        self.text = text
        self.notation = notation
    }
}
