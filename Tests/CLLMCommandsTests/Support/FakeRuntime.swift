import CarbocationLlamaRuntime
import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
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
        /// How the conversations began.
        var chats: [ChatOpening] = []
        var calibrations: [LlamaEngineConfiguration] = []
        var renderings: [Rendering] = []
        var tokenized: [String] = []
        var userInputs: [Bool] = []
    }

    let versions: RuntimeVersions?
    private let engine: any LLMEngine
    private let loadError: (any Error)?
    private let report: PromptReport
    private let calibration: FakeCalibration
    private let logged = Locked(Log())

    init(
        engine: any LLMEngine = FakeEngine.answering([]),
        loadError: (any Error)? = nil,
        report: PromptReport = PromptReport(prompt: "", segments: [], formatter: "llama-jinja"),
        calibration: FakeCalibration = FakeCalibration(),
        versions: RuntimeVersions? = RuntimeVersions(llama: "1.2", commit: "abc", ggml: "3.4")
    ) {
        self.engine = engine
        self.loadError = loadError
        self.report = report
        self.calibration = calibration
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
        return LoadedModel(engine: engine, details: Self.details, contextSize: 2048) { [logged] in
            logged.withLock { $0.unloads += 1 }
        }
    }

    func openChat(_ request: ModelLoadRequest, _ opening: ChatOpening) async throws -> OpenChat {
        logged.withLock {
            $0.loads.append(request)
            $0.chats.append(opening)
        }
        if let loadError { throw loadError }
        return chat(FakeChatSession(engine: engine, opening: opening))
    }

    func restoreChat(from url: URL, _ request: ModelLoadRequest) async throws -> OpenChat {
        logged.withLock { $0.loads.append(request) }
        return chat(try FakeChatSession(engine: engine, restoring: url))
    }

    private func chat(_ session: FakeChatSession) -> OpenChat {
        session.onUnload = { [logged] in logged.withLock { $0.unloads += 1 } }
        return OpenChat(session: session, contextSize: 2048) {
            EngineFigures(
                load: LlamaLoadReport(batchSize: 512, microBatchSize: 256),
                threads: ThreadChoice(decode: 1, prefill: 2),
                promptReuse: "the beginning differs")
        }
    }

    /// Half of what the policy would take, to tell it from that.
    func plan(_ source: ChosenModel, configuration: LlamaEngineConfiguration) async throws -> ModelPlan {
        switch source {
        case .file(let url): return ModelPlan(fileAt: url)
        case .system(let id, _): throw LocalLLMEngineError.unavailableSystemModel(id)
        case .installed(let model, _):
            return ModelPlan(
                selection: source.selection, displayName: model.displayName, requestedContext: 8192, mode: .manual,
                trainingContext: model.contextLength, calibratedMaximum: calibration.maximum,
                capabilities: LocalLLMModelCapabilities(
                    supportsGrammar: true, usesExactTokenCounts: true, contextSize: model.contextLength))
        }
    }

    func calibrate(
        _ model: InstalledModel, in library: ModelLibrary, configuration: LlamaEngineConfiguration,
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void
    ) async throws -> LlamaContextCalibrationRecord {
        logged.withLock { $0.calibrations.append(configuration) }
        return try await calibration.run(model, onProgress: onProgress)
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
