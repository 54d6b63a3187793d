/// What the body of a call looks like, as far as finding its end is concerned.
package enum CallBodyRule: Sendable, Hashable {
    /// Values in brackets.
    case bracketed(BracketedBodyRule)
    /// A name and values in tags, where values are written as they are.
    case tagged(TaggedBodyRule)
    /// `name>` and then JSON or tags; the opener is `<function=`.
    case function
    /// JSON, `<function=`, or a bare name, told apart by the first character.
    case mixed
    /// A line that names the tool, and JSON below it; the line `all` is no call but the head of plain text.
    case recipient
}
