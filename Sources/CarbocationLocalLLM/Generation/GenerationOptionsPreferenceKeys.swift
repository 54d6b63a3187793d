/// The names under which an app's preferences hold sampling settings.
public struct GenerationOptionsPreferenceKeys: Sendable, Hashable {
    /// The ``GenerationOptionsMode``.
    package var optionsMode: String
    /// See ``GenerationOptions/temperature``.
    package var temperature: String
    /// See ``GenerationOptions/topP``.
    package var topP: String
    /// See ``GenerationOptions/topK``.
    package var topK: String
    /// See ``GenerationOptions/minP``.
    package var minP: String
    /// See ``GenerationOptions/presencePenalty``.
    package var presencePenalty: String
    /// See ``GenerationOptions/repetitionPenalty``.
    package var repetitionPenalty: String
    /// See ``GenerationOptions/seed``.
    package var seed: String

    /// Creates a set of names; by default all begin with `llama.`.
    package init(
        optionsMode: String = "llama.optionsMode",
        temperature: String = "llama.temperature",
        topP: String = "llama.topP",
        topK: String = "llama.topK",
        minP: String = "llama.minP",
        presencePenalty: String = "llama.presencePenalty",
        repetitionPenalty: String = "llama.repetitionPenalty",
        seed: String = "llama.seed"
    ) {
        self.optionsMode = optionsMode
        self.temperature = temperature
        self.topP = topP
        self.topK = topK
        self.minP = minP
        self.presencePenalty = presencePenalty
        self.repetitionPenalty = repetitionPenalty
        self.seed = seed
    }

    /// The names that the package's own settings views use.
    public static var standard: GenerationOptionsPreferenceKeys { GenerationOptionsPreferenceKeys() }
}
