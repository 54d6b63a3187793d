import CarbocationLocalLLM
import Foundation

/// What a session was opened with, and stays the same.
struct SessionOrigin: Sendable {
    /// An engine for one session.
    struct Loaded: Sendable {
        let origin: SessionOrigin
        let engine: LlamaEngine
        let info: LlamaLoadedModelInfo

        /// Lets the next prompt build on what another context held, and reports when it cannot.
        ///
        /// Then that prompt is computed from its beginning. Returns why.
        @discardableResult
        func take(_ state: SequenceState?, of identity: CacheIdentity) async -> String? {
            guard let state else { return nil }
            var obstacle = origin.cacheIdentity.obstacle(toCacheOf: identity)
            if obstacle == nil, await !engine.importState(state) { obstacle = "llama.cpp refused it" }
            guard let obstacle else { return nil }
            LLMDiagnostics.record(
                .warning, category: "session",
                "The saved KV cache of \(origin.model.fileName) is not used: \(obstacle). "
                    + "The next prompt is computed from its beginning.")
            return obstacle
        }
    }

    let descriptor: LlamaModelDescriptor
    let configuration: LlamaEngineConfiguration
    let system: String
    let model: SessionModel
    let cacheIdentity: CacheIdentity

    /// The transcript of a session in which nobody has spoken.
    var emptyTranscript: [LLMChatMessage] {
        let isBlank = system.allSatisfy(\.isWhitespace)
        return isBlank ? [] : [LLMChatMessage(role: .system, content: system)]
    }

    /// Where the model that a session needs is known from.
    enum Expectation {
        case savedSession(SessionModel)
        case runningSession(SessionModel)
    }

    /// Loads a model into an engine of its own.
    ///
    /// Throws ``LLMSessionError/modelMismatch(_:)`` when it is another model than `expected`.
    static func load(
        _ descriptor: LlamaModelDescriptor, requestedContext: Int, configuration: LlamaEngineConfiguration,
        system: String, expecting expected: Expectation? = nil
    ) async throws -> Loaded {
        var configuration = configuration
        configuration.maximumConcurrentSequences = 1
        let work = NativeWork()
        let model = try await work.run { _ in
            try Self.model(of: descriptor, expecting: expected)
        }
        let engine = LlamaEngine(configuration: configuration)
        let info = try await engine.load(descriptor: descriptor, requestedContext: requestedContext)
        let identity = try await work.run { [configuration] _ in
            try CacheIdentity(configuration, contextSize: info.contextSize)
        }
        let origin = SessionOrigin(
            descriptor: descriptor, configuration: configuration, system: system, model: model,
            cacheIdentity: identity)
        return Loaded(origin: origin, engine: engine, info: info)
    }

    /// The same once more.
    func reloaded() async throws -> Loaded {
        try await Self.load(
            descriptor, requestedContext: cacheIdentity.contextSize, configuration: configuration, system: system,
            expecting: .runningSession(model))
    }

    private static func model(
        of descriptor: LlamaModelDescriptor, expecting expected: Expectation?
    ) throws -> SessionModel {
        guard let expected else {
            return SessionModel(descriptor, fingerprint: try ModelFingerprint(modelAt: descriptor.url))
        }
        let fingerprint = try? ModelFingerprint(modelAt: descriptor.url)
        guard let fingerprint, fingerprint == expected.model.fingerprint else {
            throw LLMSessionError.modelMismatch(expected.mismatch(at: descriptor.url, isModel: fingerprint != nil))
        }
        return SessionModel(descriptor, fingerprint: fingerprint)
    }
}

extension SessionOrigin.Expectation {
    fileprivate var model: SessionModel {
        switch self {
        case .savedSession(let model), .runningSession(let model): model
        }
    }

    /// What is wrong with the file at `url`, and what to do.
    fileprivate func mismatch(at url: URL, isModel: Bool) -> String {
        switch self {
        case .runningSession:
            isModel
                ? "\(url.lastPathComponent) has changed since this session began. Start a new session."
                : "\(url.path) cannot be read as a model any more. Install it again, or start a new session."
        case .savedSession(let model):
            isModel
                ? "\(url.lastPathComponent) is another model, or another version of it, than \(model.fileName), with "
                    + "which the session was saved. Install the version the session was saved with."
                : "\(url.path) cannot be read as a model. The session was saved with \(model.fileName). "
                    + "Install the version the session was saved with."
        }
    }
}
