/// How a body of values in brackets begins and ends.
package struct BracketedBodyRule: Sendable, Hashable {
    /// What stands before the value.
    package enum Lead: Sendable, Hashable {
        /// White space, perhaps with the first line of a code fence.
        case space
        /// A fence's first line.
        case fence
        /// Anything up to a brace: names, ids and markers that are single tokens.
        case anything
        /// A bare name that brackets or a brace follow; or nothing.
        case name
        /// Nothing: a name with `(` behind it, or a list of such calls.
        case call
        /// Nothing before a brace or bracket, or `name.call(`.
        case builtInCall
        /// `call:`.
        case gemma
    }

    package var lead: Lead
    /// Whether the value's last bracket ends the call; else a marker does.
    package var endsBalanced = false
    /// Whether more values may follow, separated by white space, `;` or `,`.
    package var repeats = false
    /// Whether the opener has opened a bracket.
    package var beginsInBracket = false
}
