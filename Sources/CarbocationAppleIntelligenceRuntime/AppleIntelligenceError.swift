import Foundation

/// What can go wrong with the system's language model beside what goes wrong with any generation.
package enum AppleIntelligenceError: Error, LocalizedError, Sendable, Equatable {
    /// The model cannot be used now.
    case unavailable(AppleIntelligenceUnavailableReason)
    /// The system refused or failed to answer, and why.
    case generationFailed(String)

    /// What went wrong, as a sentence for people, with the remedy where there is one.
    package var errorDescription: String? {
        switch self {
        case .unavailable(let reason): reason.explanation
        case .generationFailed(let text): text
        }
    }
}
