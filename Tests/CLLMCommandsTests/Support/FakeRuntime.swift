import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

@testable import CLLMCommands

/// A runtime without llama.cpp that notes what it is asked for.
final class FakeRuntime: ModelRuntime {
    struct Rendering: Sendable {
        var request: PromptRenderRequest
        var source: TemplateSource
    }

    struct Log: Sendable {
        var loads: [ModelLoadRequest] = []
        var unloads = 0
        var renderings: [Rendering] = []
        var tokenized: [String] = []
        var userInputs: [Bool] = []
    }

    let versions: RuntimeVersions?
    private let engine: any LLMEngine
    private let loadError: (any Error)?
    private let report: PromptReport
    private let logged = Locked(Log())

    init(
        engine: any LLMEngine = FakeEngine.answering([]),
        loadError: (any Error)? = nil,
        report: PromptReport = PromptReport(prompt: "", segments: [], formatter: "llama-jinja"),
        versions: RuntimeVersions? = RuntimeVersions(llama: "1.2", commit: "abc", ggml: "3.4")
    ) {
        self.engine = engine
        self.loadError = loadError
        self.report = report
        self.versions = versions
    }

    var log: Log { logged.withLock(\.self) }

    static let details = LlamaLoadedModelInfo(
        modelPath: "/models/fake.gguf", contextSize: 2048, trainingContextSize: 8192, hasEmbeddedChatTemplate: true,
        templateFormatter: "llama-jinja", supportsMTPAcceleration: false, thinkingCapabilities: .none,
        architecture: "fake")

    func load(_ request: ModelLoadRequest) async throws -> LoadedModel {
        logged.withLock { $0.loads.append(request) }
        if let loadError { throw loadError }
        return LoadedModel(engine: engine, details: Self.details) { [logged] in
            logged.withLock { $0.unloads += 1 }
        }
    }

    func renderer(of source: TemplateSource) throws -> PromptRendering {
        { [logged, report] request in
            logged.withLock { $0.renderings.append(Rendering(request: request, source: source)) }
            return report
        }
    }

    /// One token for each word.
    func stageCost(model: URL) async throws -> StageCost { StageCost(short: 2.5e-6, long: 3e-6) }

    func tokenize(_ text: String, asUserInput: Bool, model: URL) throws -> [TokenReport] {
        logged.withLock {
            $0.tokenized.append(text)
            $0.userInputs.append(asUserInput)
        }
        return text.split(separator: " ").enumerated().map { TokenReport(id: Int32($0 + 1), bytes: Array($1.utf8)) }
    }

    /// Takes grammars that have a root, and their own text only.
    func inspect(grammar: String, text: String?) throws -> Bool {
        guard grammar.contains("root ::=") else { throw LLMEngineError.grammarParseFailed("it has no root") }
        return text.map { $0 == grammar } ?? true
    }
}
