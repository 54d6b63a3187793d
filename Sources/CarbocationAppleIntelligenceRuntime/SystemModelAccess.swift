/// The one place that decides whether there is a framework to talk to.
enum SystemModelAccess {
    /// Whether the model can be used now.
    static var availability: AppleIntelligenceAvailability {
        #if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
            if #available(macOS 26.0, iOS 26.0, *) { return FrameworkModel().availability }
            return .unavailable(.operatingSystemUnavailable)
        #else
            return .unavailable(.sdkUnavailable)
        #endif
    }

    /// The model, if it can be used now.
    ///
    /// - Throws: ``AppleIntelligenceError/unavailable(_:)``.
    static func model() throws -> any SystemModel {
        if case .unavailable(let reason) = availability { throw AppleIntelligenceError.unavailable(reason) }
        #if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
            if #available(macOS 26.0, iOS 26.0, *) { return FrameworkModel() }
        #endif
        throw AppleIntelligenceError.unavailable(.sdkUnavailable)
    }
}
