package import CarbocationLlamaRuntime
import CarbocationLocalLLM
package import Foundation

/// llama.cpp.
package struct LlamaModelRuntime: ModelRuntime {
    package init() {}

    package var versions: RuntimeVersions? {
        guard LlamaRuntimeInfo.isAvailable else { return nil }
        return RuntimeVersions(
            llama: LlamaRuntimeInfo.version, commit: LlamaRuntimeInfo.commit, ggml: LlamaRuntimeInfo.ggmlVersion)
    }

    package func load(_ request: ModelLoadRequest) async throws -> LoadedModel {
        let engine = LlamaEngine(configuration: request.configuration)
        let details = try await engine.load(modelAt: request.url, requestedContext: request.context)
        return LoadedModel(
            engine: engine, details: details,
            threads: { request.configuration.threadCount == nil ? await engine.currentThreadChoice() : nil },
            report: await engine.currentLoadReport(),
            promptReuse: { await engine.lastPromptReuseReason() },
            unload: { await engine.unload() })
    }

    package func renderer(of source: TemplateSource) throws -> PromptRendering {
        let inspector =
            switch source {
            case .text(let template, let end): try ChatTemplateInspector(template: template, endOfSequence: end)
            case .model(let url): try ChatTemplateInspector(modelAt: url)
            }
        return { PromptReport(try inspector.render($0)) }
    }

    package func stageCost(model: URL) async throws -> StageCost {
        try await StageCost.measured(modelAt: model)
    }

    package func tokenize(_ text: String, asUserInput: Bool, model: URL) throws -> [TokenReport] {
        try VocabularyInspector(modelAt: model).tokenize(text, asUserInput: asUserInput).map {
            TokenReport(id: $0.id, bytes: $0.bytes)
        }
    }

    package func inspect(grammar: String, text: String?) throws -> Bool {
        let inspector = try GrammarInspector(grammar: grammar)
        return try text.map(inspector.matches) ?? true
    }
}
