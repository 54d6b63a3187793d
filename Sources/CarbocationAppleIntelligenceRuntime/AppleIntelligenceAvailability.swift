/// Whether the system's language model can be used now.
package enum AppleIntelligenceAvailability: Sendable, Hashable {
    /// It can, with this context in tokens.
    case available(contextSize: Int)
    /// It cannot.
    case unavailable(AppleIntelligenceUnavailableReason)

    /// The availability as the system says it now; it may change at any time.
    package static func current() -> Self {
        SystemModelAccess.availability
    }
}
