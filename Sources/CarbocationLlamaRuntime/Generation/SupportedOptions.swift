import CarbocationLocalLLM

extension GenerationOptions {
    /// Refuses what the engine cannot do, so that no option is silently without effect.
    func checkSupport() throws {
        func refuse(_ field: String, unless isSupported: Bool) throws {
            guard isSupported else {
                throw LLMEngineError.invalidOptions(
                    "\(field) is not supported by the llama.cpp engine yet; leave it unset")
            }
        }
        try refuse("stopAtBalancedJSON", unless: !stopAtBalancedJSON)
        try refuse("thinkingBudgetTokens", unless: thinkingBudgetTokens == nil)
        try refuse("logprobs", unless: (logprobs ?? 0) == 0)
        try refuse("streamPhaseConfiguration", unless: streamPhaseConfiguration.isEmpty)
    }
}
