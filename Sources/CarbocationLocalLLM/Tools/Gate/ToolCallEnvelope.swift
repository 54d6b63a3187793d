/// One way in which a family of models marks a call in its text.
package struct ToolCallEnvelope: Sendable, Hashable {
    /// The text that begins the call.
    package var opener: String
    /// How the end of the body is found.
    package var body: CallBodyRule
    /// The texts that end the call, if a marker does.
    package var closers: [String] = []
    /// The texts before which the call ends at the latest, besides another opener and those around all calls.
    package var boundaries: [String] = []
    /// How the body is read once it is complete.
    package var format: ToolCallBodyFormat
    /// From which byte of the opener on the body begins for its reader, who then also gets the closer; nil for a body
    /// without either.
    package var bodyStart: Int?
    /// Whether calls of undeclared tools are plain text here and not mistakes.
    package var undeclaredIsText = false
    /// Whether the call is recognised, without an opener, at the very beginning of the text only.
    package var isAtStartOnly = false
    /// Whether the opener may be missing behind the one of the section.
    package var isImpliedBySection = false
}
