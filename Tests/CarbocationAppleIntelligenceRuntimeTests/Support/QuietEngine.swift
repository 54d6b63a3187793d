import AppleIntelligenceWithStubs

extension AppleIntelligenceEngine {
    /// An engine that says nothing while the machine is slow.
    static let quiet = AppleIntelligenceEngine(configuration: AppleIntelligenceConfiguration(heartbeatInterval: 0))
}
