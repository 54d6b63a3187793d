/// The tags of a body, and how surely they can be told from text.
package struct TaggedBodyRule: Sendable, Hashable {
    /// What comes first.
    package enum Lead: Sendable, Hashable {
        /// Anything: the opener is a single token, which prose does not contain.
        case anything
        /// A tag.
        case tag
        /// A name that a tag follows.
        case name
    }

    package var syntax: TaggedCallSyntax
    package var lead: Lead
    /// Whether the closing marker is a single token, and as such never part of a value.
    package var isUnambiguous = false

    /// `<parameter=name>value</parameter>`.
    static let functionTags = TaggedBodyRule(syntax: .functionTags, lead: .tag)

    /// `name<arg_key>name</arg_key><arg_value>value</arg_value>`.
    static let argumentPairs = TaggedBodyRule(syntax: .argumentPairs, lead: .name)
}
