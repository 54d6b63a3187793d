package import CarbocationLlamaRuntime
import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
package import Foundation

/// llama.cpp and the models of the system, through the facade where it offers what is asked for.
package struct LlamaModelRuntime: ModelRuntime {
    package init() {}

    package var versions: RuntimeVersions? {
        guard LlamaRuntimeInfo.isAvailable else { return nil }
        return RuntimeVersions(
            llama: LlamaRuntimeInfo.version, commit: LlamaRuntimeInfo.commit, ggml: LlamaRuntimeInfo.ggmlVersion)
    }

    package func load(_ request: ModelLoadRequest) async throws -> LoadedModel {
        if let facade = FacadeModel(request) { return try await facade.load() }
        guard let descriptor = request.source.descriptor else { throw Self.notAFile(request.source) }
        let engine = LlamaEngine(configuration: request.configuration)
        let details = try await engine.load(descriptor: descriptor, requestedContext: request.context)
        return await LoadedModel(
            engine: engine, llama: engine, details: details, contextSize: details.contextSize,
            configuration: request.configuration
        ) { await engine.unload() }
    }

    static func notAFile(_ source: ChosenModel) -> CommandFailure {
        CommandFailure(
            .refused, "\(source.displayName) cannot be used with --rpc; leave that out, or name another model.")
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
