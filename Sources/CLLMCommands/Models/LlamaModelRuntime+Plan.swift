package import CarbocationLlamaRuntime
package import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation

extension LlamaModelRuntime {
    package func plan(_ source: ChosenModel, configuration: LlamaEngineConfiguration) async throws -> ModelPlan {
        let configuration = LocalLLMEngineConfiguration(configuration)
        switch source {
        case .file(let url): return ModelPlan(fileAt: url)
        case .installed(let model, let library):
            guard let plan = await Self.loadPlan(source, in: library, configuration) else {
                throw LocalLLMEngineError.installedModelNotFound(model.id)
            }
            let runtime = LocalLLMEngine.contextCalibrationRuntimeFingerprint(configuration: configuration)
            let record = LlamaContextCalibrationStore.shared.record(for: model, runtime: runtime)
            return ModelPlan(
                plan, mode: LlamaContextPolicy.currentMode(defaults: .standard), trainingContext: model.contextLength,
                calibratedMaximum: record?.maximumSupportedContext)
        case .system(let id, let library):
            guard let plan = await Self.loadPlan(source, in: library, configuration) else {
                throw LocalLLMEngineError.unavailableSystemModel(id)
            }
            return ModelPlan(plan, mode: .auto, trainingContext: plan.capabilities.contextSize)
        }
    }

    package func calibrate(
        _ model: InstalledModel, in library: ModelLibrary, configuration: LlamaEngineConfiguration,
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void
    ) async throws -> LlamaContextCalibrationRecord {
        try await LocalLLMEngine.calibrateContext(
            for: model, in: library, configuration: LocalLLMEngineConfiguration(configuration), onProgress: onProgress)
    }

    private static func loadPlan(
        _ source: ChosenModel, in library: ModelLibrary, _ configuration: LocalLLMEngineConfiguration
    ) async -> LocalLLMLoadPlan? {
        guard let selection = source.selection else { return nil }
        return await LocalLLMEngine.loadPlan(
            from: selection.storageValue, in: library, refreshingLibrary: false, configuration: configuration)
    }
}
