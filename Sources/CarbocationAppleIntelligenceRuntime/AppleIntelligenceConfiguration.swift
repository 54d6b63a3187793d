package import Foundation

/// How the system's language model is used.
package struct AppleIntelligenceConfiguration: Sendable, Hashable {
    /// Tokens that are kept free besides prompt and output.
    package var promptReserveTokens: Int
    /// Seconds without a sign of the model after which a diagnostic is sent; 0 and below send none.
    package var heartbeatInterval: TimeInterval
    /// Whether options that the model does not know fail a generation with `LLMEngineError.invalidOptions`, rather than
    /// being ignored.
    package var failsOnUnsupportedOptions: Bool

    /// Creates a configuration.
    package init(
        promptReserveTokens: Int = 0, heartbeatInterval: TimeInterval = 2, failsOnUnsupportedOptions: Bool = false
    ) {
        self.promptReserveTokens = promptReserveTokens
        self.heartbeatInterval = heartbeatInterval
        self.failsOnUnsupportedOptions = failsOnUnsupportedOptions
    }
}
