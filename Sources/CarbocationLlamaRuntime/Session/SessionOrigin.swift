import CarbocationLocalLLM
import Foundation

/// What a session was opened with, and stays the same.
struct SessionOrigin: Sendable {
    /// An engine for one session.
    struct Loaded: Sendable {
        let origin: SessionOrigin
        let engine: LlamaEngine
        let info: LlamaLoadedModelInfo
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

    /// Loads a model into an engine of its own.
    ///
    /// Throws ``LLMSessionError/modelMismatch(_:)`` when it is another model than `expected`.
    static func load(
        _ descriptor: LlamaModelDescriptor, requestedContext: Int, configuration: LlamaEngineConfiguration,
        system: String, expecting expected: SessionModel? = nil
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
            expecting: model)
    }

    private static func model(
        of descriptor: LlamaModelDescriptor, expecting expected: SessionModel?
    ) throws -> SessionModel {
        guard let expected else {
            return SessionModel(descriptor, fingerprint: try ModelFingerprint(modelAt: descriptor.url))
        }
        let name = descriptor.url.lastPathComponent
        guard let fingerprint = try? ModelFingerprint(modelAt: descriptor.url) else {
            throw LLMSessionError.modelMismatch(
                "\(descriptor.url.path) cannot be read as a model. The session was saved with \(expected.fileName).")
        }
        guard fingerprint == expected.fingerprint else {
            throw LLMSessionError.modelMismatch(
                "\(name) is another model, or another version of it, than \(expected.fileName), with which the session "
                    + "was saved.")
        }
        return SessionModel(descriptor, fingerprint: fingerprint)
    }
}
