import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation

/// Loads the model that the user chose.
@MainActor
struct ModelLoader {
    let settings: AppSettings
    let shelf: ModelShelf
    var engine = LocalLLMEngine.shared

    // snippet.plan
    /// A line for the settings: the name and the size of the context, or nil when the user has to choose.
    func summary() async -> String? {
        let plan = await LocalLLMEngine.loadPlan(
            from: settings.selectedModel, in: shelf.library, defaults: settings.defaults)
        return plan.map { "\($0.displayName), \($0.requestedContext) tokens" }
    }
    // snippet.end

    // snippet.load
    /// Loads what is selected; returns at once when it is loaded already.
    func load() async throws -> LocalLLMLoadedModelInfo {
        let plan = await LocalLLMEngine.loadPlan(
            from: settings.selectedModel, in: shelf.library, defaults: settings.defaults)
        guard let plan else { throw LocalLLMEngineError.invalidSelection(settings.selectedModel) }
        return try await engine.load(
            selection: plan.selection, from: shelf.library, requestedContext: plan.requestedContext)
    }
    // snippet.end
}
