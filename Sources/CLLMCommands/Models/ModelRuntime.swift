package import CarbocationLlamaRuntime
package import CarbocationLocalLLM
package import Foundation

/// What the commands need of an engine's runtime.
package protocol ModelRuntime: Sendable {
    /// The versions of the linked runtime, nil when there is none.
    var versions: RuntimeVersions? { get }

    /// Loads a model into an engine of its own.
    func load(_ request: ModelLoadRequest) async throws -> LoadedModel

    /// Begins a conversation that remembers.
    func openChat(_ request: ModelLoadRequest, _ opening: ChatOpening) async throws -> OpenChat

    /// Goes on with a saved conversation, which must be one with the model of `request`.
    func restoreChat(from url: URL, _ request: ModelLoadRequest) async throws -> OpenChat

    /// With how much context to load a model, and what it can do.
    func plan(_ source: ChosenModel, configuration: LlamaEngineConfiguration) async throws -> ModelPlan

    /// Finds out how much context an installed model can be loaded with, and remembers it.
    func calibrate(
        _ model: InstalledModel, in library: ModelLibrary, configuration: LlamaEngineConfiguration,
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void
    ) async throws -> LlamaContextCalibrationRecord

    /// Compiles a template and returns what writes conversations with it.
    func renderer(of source: TemplateSource) throws -> PromptRendering

    /// Seconds per token that a generation takes beside the model's own work.
    func stageCost(model: URL) async throws -> StageCost

    /// Cuts a text into the tokens of a model.
    func tokenize(_ text: String, asUserInput: Bool, model: URL) throws -> [TokenReport]

    /// Checks a grammar, and whether the whole of `text` belongs to it unless that is nil.
    func inspect(grammar: String, text: String?) throws -> Bool
}

/// Writes a conversation as a template does.
package typealias PromptRendering = @Sendable (PromptRenderRequest) throws -> PromptReport

package struct RuntimeVersions: Sendable, Hashable {
    package var llama: String
    package var commit: String
    package var ggml: String

    package init(llama: String, commit: String, ggml: String) {
        self.llama = llama
        self.commit = commit
        self.ggml = ggml
    }
}

package struct ModelLoadRequest: Sendable {
    package var source: ChosenModel
    /// In tokens; the engine takes no more than the model was trained for.
    package var context: Int
    package var configuration: LlamaEngineConfiguration
}

/// A model that is ready to generate.
package struct LoadedModel: Sendable {
    package var engine: any LLMEngine
    /// What is known about its file; nil for a model of the system.
    package var details: LlamaLoadedModelInfo?
    /// Tokens of its context.
    package var contextSize: Int
    /// Says whether a request fits with the definitions of tools; a model of the system does not count them.
    package var preflight: @Sendable (LLMGenerationRequest, ToolOffer?) async throws -> LLMGenerationPreflight
    /// Waits until running work has stopped and frees the model.
    package var unload: @Sendable () async -> Void
    /// The numbers of threads that the engine chose itself, if it did.
    package var threads: @Sendable () async -> ThreadChoice?
    /// What the load asked for and got; nil when the engine does not tell.
    package var report: LlamaLoadReport?
    /// Why not more of the last prompt was cached.
    package var promptReuse: @Sendable () async -> String?

    package init(
        engine: any LLMEngine, details: LlamaLoadedModelInfo?, contextSize: Int,
        preflight: (@Sendable (LLMGenerationRequest, ToolOffer?) async throws -> LLMGenerationPreflight)? = nil,
        threads: @escaping @Sendable () async -> ThreadChoice? = { nil },
        report: LlamaLoadReport? = nil,
        promptReuse: @escaping @Sendable () async -> String? = { nil },
        unload: @escaping @Sendable () async -> Void
    ) {
        self.engine = engine
        self.details = details
        self.contextSize = contextSize
        self.preflight = preflight ?? { request, _ in try await engine.preflight(request) }
        self.threads = threads
        self.report = report
        self.promptReuse = promptReuse
        self.unload = unload
    }
}

package enum TemplateSource: Sendable, Hashable {
    /// A template's text, and what stands for the end of a sequence in there.
    case text(String, endOfSequence: String = "")
    case model(URL)
}
