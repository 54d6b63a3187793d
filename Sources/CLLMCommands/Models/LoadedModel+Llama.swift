import CarbocationLlamaRuntime
import CarbocationLocalLLM

extension LoadedModel {
    /// A model whose figures a llama.cpp engine knows, if one computes it.
    init(
        engine: any LLMEngine, llama: LlamaEngine?, details: LlamaLoadedModelInfo?, contextSize: Int,
        configuration: LlamaEngineConfiguration, unload: @escaping @Sendable () async -> Void
    ) async {
        let choosesThreads = configuration.threadCount == nil
        self.init(
            engine: engine, details: details, contextSize: contextSize,
            preflight: { request, tools in
                guard let llama else { return try await engine.preflight(request) }
                return try await llama.preflight(request, tools: tools)
            },
            threads: { choosesThreads ? await llama?.currentThreadChoice() : nil },
            report: await llama?.currentLoadReport(),
            promptReuse: { await llama?.lastPromptReuseReason() },
            unload: unload)
    }
}

extension ChosenModel {
    /// The file for llama.cpp; nil for a model of the system.
    var descriptor: LlamaModelDescriptor? {
        switch self {
        case .file(let url): LlamaModelDescriptor(url: url)
        case .installed(let model, let library): LlamaModelDescriptor(model: model, root: library.root)
        case .system: nil
        }
    }
}
