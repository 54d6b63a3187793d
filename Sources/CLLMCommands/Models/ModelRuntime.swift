package import CarbocationLlamaRuntime
package import CarbocationLocalLLM
package import Foundation

/// What the commands need of an engine's runtime.
package protocol ModelRuntime: Sendable {
    /// The versions of the linked runtime, nil when there is none.
    var versions: RuntimeVersions? { get }

    /// Loads a model into an engine of its own.
    func load(_ request: ModelLoadRequest) async throws -> LoadedModel

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

package struct ModelLoadRequest: Sendable, Hashable {
    package var url: URL
    /// In tokens; the engine takes no more than the model was trained for.
    package var context: Int
    package var configuration: LlamaEngineConfiguration
}

/// A model that is ready to generate.
package struct LoadedModel: Sendable {
    package var engine: any LLMEngine
    package var details: LlamaLoadedModelInfo
    /// Waits until running work has stopped and frees the model.
    package var unload: @Sendable () async -> Void
    /// The numbers of threads that the engine chose itself, if it did.
    package var threads: @Sendable () async -> ThreadChoice?
    /// What the load asked for and got; nil when the engine does not tell.
    package var report: LlamaLoadReport?
    /// Why not more of the last prompt was cached.
    package var promptReuse: @Sendable () async -> String?

    package init(
        engine: any LLMEngine, details: LlamaLoadedModelInfo,
        threads: @escaping @Sendable () async -> ThreadChoice? = { nil },
        report: LlamaLoadReport? = nil,
        promptReuse: @escaping @Sendable () async -> String? = { nil },
        unload: @escaping @Sendable () async -> Void
    ) {
        self.engine = engine
        self.details = details
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
