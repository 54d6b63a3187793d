import CarbocationLocalLLM
import Foundation

/// What the app remembers between its launches.
@MainActor
struct AppSettings {
    let defaults: UserDefaults

    // snippet.selection
    /// The chosen model as text; empty before the first choice.
    var selectedModel: String {
        defaults.string(forKey: "selectedModel") ?? ""
    }

    func select(_ selection: LLMModelSelection) {
        defaults.set(selection.storageValue, forKey: "selectedModel")
    }
    // snippet.end

    // snippet.context
    /// Leaves the context to the package, up to a number of tokens.
    func useAutomaticContext(upTo limit: Int) {
        let keys = LlamaContextPreferenceKeys.standard
        defaults.set(LlamaContextMode.auto.rawValue, forKey: keys.contextMode)
        defaults.set(limit, forKey: keys.autoContextLimit)
        defaults.set(false, forKey: keys.autoContextLimitUsesMaximum)
    }

    /// Uses this context, or all that the model was trained on if that is less.
    func useContext(of tokens: Int) {
        let keys = LlamaContextPreferenceKeys.standard
        defaults.set(LlamaContextMode.manual.rawValue, forKey: keys.contextMode)
        defaults.set(tokens, forKey: keys.numCtx)
    }
    // snippet.end

    /// The tools that the user switched on.
    var tools: ToolSwitches {
        ToolSwitches(
            calculates: isOn("tools.calculate", otherwise: true),
            convertsUnits: isOn("tools.convertUnits", otherwise: true),
            opensWebpages: isOn("tools.openWebpages", otherwise: false))
    }

    private func isOn(_ key: String, otherwise: Bool) -> Bool {
        defaults.object(forKey: key) == nil ? otherwise : defaults.bool(forKey: key)
    }
}
