import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

/// Makes plans from what the user stored and what there is.
@MainActor
struct LoadPlanner {
    let library: ModelLibrary
    let defaults: UserDefaults
    let contextKeys: LlamaContextPreferenceKeys
    let calibrationStore: LlamaContextCalibrationStore
    let configuration: LocalLLMEngineConfiguration
    let systemModels: SystemModels

    func plan(from storageValue: String, refreshing: Bool) async -> LocalLLMLoadPlan? {
        if refreshing { await library.refresh() }
        switch LLMModelSelection(storageValue: storageValue) {
        case .installed(let id): return await plan(forModel: id)
        case .system(let id): return plan(forSystemModel: id)
        case nil: return nil
        }
    }

    private func plan(forModel id: UUID) async -> LocalLLMLoadPlan? {
        guard let model = library.model(id: id) else { return nil }
        // Preferences may be written by another process at the moment, which takes a while.
        let record = await Task.detached { [calibrationStore, configuration] in
            let runtime = LlamaEngine.contextCalibrationRuntimeFingerprint(configuration: configuration.llama)
            return calibrationStore.record(for: model, runtime: runtime)
        }.value
        let context = LlamaContextPolicy.requestedContext(
            trainingContext: model.contextLength, calibratedMaximum: record?.maximumSupportedContext,
            defaults: defaults, keys: contextKeys)
        let capabilities = LocalLLMModelCapabilities(ofInstalled: model, metadata: await library.metadata(of: model))
        return LocalLLMLoadPlan(
            selection: .installed(id), displayName: model.displayName, requestedContext: context,
            capabilities: capabilities)
    }

    private func plan(forSystemModel id: LLMSystemModelID) -> LocalLLMLoadPlan? {
        guard let option = systemModels.option(id) else { return nil }
        return LocalLLMLoadPlan(
            selection: option.selection, displayName: option.displayName, requestedContext: option.contextLength,
            capabilities: LocalLLMModelCapabilities(ofSystemModel: option))
    }
}
