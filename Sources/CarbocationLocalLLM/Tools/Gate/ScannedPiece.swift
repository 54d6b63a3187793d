/// What a part of a phase's text turned out to be.
enum ScannedPiece: Sendable, Hashable {
    /// Text that belongs to no call, never empty.
    case text(String)
    /// White space and markers between or after calls.
    case filler(String)
    /// Markup around plain text.
    case markup(String)
    /// A complete call, or several in one envelope.
    case call(ScannedCall)
    /// A call that the end of the text cut off.
    case incomplete(String)
}
