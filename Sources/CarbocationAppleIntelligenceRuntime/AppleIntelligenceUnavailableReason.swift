/// Why the system's language model cannot be used.
package enum AppleIntelligenceUnavailableReason: String, Sendable, Hashable {
    /// The package was built without the framework, as on Linux.
    case sdkUnavailable
    /// The operating system is older than the framework.
    case operatingSystemUnavailable
    /// The device has no Apple Intelligence.
    case deviceNotEligible
    /// The user has not turned Apple Intelligence on.
    case appleIntelligenceNotEnabled
    /// The model is not there yet, for instance because it is being downloaded.
    case modelNotReady
    /// The system gave a reason that this package does not know.
    case unknown
}

extension AppleIntelligenceUnavailableReason {
    /// What is the matter, as a sentence for people, with the remedy where there is one.
    var explanation: String {
        switch self {
        case .sdkUnavailable: "This build has no support for Apple Intelligence."
        case .operatingSystemUnavailable: "Apple Intelligence needs macOS 26 or iOS 26."
        case .deviceNotEligible: "This device does not support Apple Intelligence."
        case .appleIntelligenceNotEnabled: "Apple Intelligence is turned off. Turn it on in the system's settings."
        case .modelNotReady: "The model of Apple Intelligence is not ready yet. Try again later."
        case .unknown: "Apple Intelligence is not available."
        }
    }
}
