/// What a ``BalancedJSONGate`` lets through.
package enum BalancedJSONOutput: Sendable, Hashable {
    /// Text that continues the answer, never empty.
    case text(String)
    /// The text that the whole answer becomes, in place of what was let through before.
    case replace(String)
    /// The answer so far is the JSON value; nothing follows.
    case accepted
}
