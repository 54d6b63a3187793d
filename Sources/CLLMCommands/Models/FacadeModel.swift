import CarbocationLlamaRuntime
import CarbocationLocalLLM
import CarbocationLocalLLMRuntime

/// A model that the facade can load as it is asked for.
///
/// The facade takes selections only, and offers fewer settings than llama.cpp's engine.
struct FacadeModel: Sendable {
    let selection: LLMModelSelection
    let library: ModelLibrary
    let context: Int
    let configuration: LocalLLMEngineConfiguration

    /// Nil when the facade cannot do it.
    init?(_ request: ModelLoadRequest) {
        switch request.source {
        case .file: return nil
        case .installed(let model, let library): (selection, self.library) = (.installed(model.id), library)
        case .system(let id, let library): (selection, self.library) = (.system(id), library)
        }
        configuration = LocalLLMEngineConfiguration(request.configuration)
        guard configuration.llama == request.configuration else { return nil }
        context = request.context
    }

    func load() async throws -> LoadedModel {
        let engine = LocalLLMEngine(configuration: configuration)
        let info = try await engine.load(selection: selection, from: library, requestedContext: context)
        let llama = await engine.currentLlamaEngine()
        return await LoadedModel(
            engine: engine, llama: llama, details: await llama?.currentLoadedModelInfo(),
            contextSize: info.contextSize, configuration: configuration.llama
        ) { await engine.unload() }
    }

    func openChat(system: String) async throws -> OpenChat {
        let session = try await LocalLLMSession(
            selection: selection, system: system, from: library, requestedContext: context,
            configuration: configuration)
        let info = await session.currentLoadedModelInfo()
        return OpenChat(
            session: session, contextSize: info?.contextSize ?? context,
            thinking: info?.thinkingCapabilities ?? .none,
            engineFigures: { [configuration] in
                guard let llama = session.llamaSession else { return EngineFigures() }
                return await EngineFigures(llama, configuration: configuration.llama)
            })
    }
}

extension LocalLLMEngineConfiguration {
    /// What the facade has of the settings of llama.cpp's engine.
    init(_ llama: LlamaEngineConfiguration) {
        self.init(
            llamaGPULayerCount: llama.gpuLayerCount, llamaUseMemoryMap: llama.useMemoryMap,
            llamaBatchSizeLimit: llama.batchSizeLimit, llamaThreadCount: llama.threadCount,
            promptReserveTokens: llama.promptReserveTokens, heartbeatInterval: llama.heartbeatInterval,
            accelerationPolicy: llama.accelerationPolicy, mtpMaxDraftTokens: llama.mtpMaxDraftTokens,
            llamaDraftModelURL: llama.draftModelURL,
            llamaMaximumConcurrentSequences: llama.maximumConcurrentSequences)
    }
}
