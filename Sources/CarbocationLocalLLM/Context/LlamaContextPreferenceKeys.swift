/// The names under which an app's preferences hold the size of the context.
public struct LlamaContextPreferenceKeys: Sendable, Hashable {
    /// The ``LlamaContextMode``.
    public var contextMode: String
    /// The context in manual mode, in tokens.
    public var numCtx: String
    /// The most that automatic mode asks for, in tokens.
    public var autoContextLimit: String
    /// Whether automatic mode asks for as much as calibration found to fit, whatever the limit.
    public var autoContextLimitUsesMaximum: String

    /// Creates a set of names; by default all begin with `llama.`.
    public init(
        contextMode: String = "llama.contextMode",
        numCtx: String = "llama.numCtx",
        autoContextLimit: String = "llama.autoContextLimit",
        autoContextLimitUsesMaximum: String = "llama.autoContextLimitUsesMaximum"
    ) {
        self.contextMode = contextMode
        self.numCtx = numCtx
        self.autoContextLimit = autoContextLimit
        self.autoContextLimitUsesMaximum = autoContextLimitUsesMaximum
    }

    /// The names that the package's own settings views use.
    public static var standard: LlamaContextPreferenceKeys { LlamaContextPreferenceKeys() }
}
