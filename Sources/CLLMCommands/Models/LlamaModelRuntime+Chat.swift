import CarbocationLlamaRuntime
import CarbocationLocalLLM
package import Foundation

extension LlamaModelRuntime {
    package func openChat(_ request: ModelLoadRequest, _ opening: ChatOpening) async throws -> OpenChat {
        // The facade begins with nothing but a system text.
        if opening.history.isEmpty, let facade = FacadeModel(request) {
            return try await facade.openChat(system: opening.system)
        }
        guard let descriptor = request.source.descriptor else {
            throw opening.history.isEmpty ? Self.notAFile(request.source) : Self.takesNoHistory(request.source)
        }
        return await OpenChat(
            try await LlamaSession(
                model: descriptor, requestedContext: request.context, configuration: request.configuration,
                system: opening.system, history: opening.history),
            configuration: request.configuration)
    }

    /// Not through the facade, which would load whichever model the file belongs to before that can be told.
    package func restoreChat(from url: URL, _ request: ModelLoadRequest) async throws -> OpenChat {
        guard let descriptor = request.source.descriptor else { throw LLMSessionError.saveUnsupported }
        return await OpenChat(
            try await LlamaSession(restoring: url, configuration: request.configuration) { _ in descriptor },
            configuration: request.configuration)
    }

    private static func takesNoHistory(_ source: ChosenModel) -> CommandFailure {
        CommandFailure(
            .refused,
            "A chat with \(source.displayName) cannot begin with --messages; leave that out, or name another model.")
    }
}

extension OpenChat {
    fileprivate init(_ session: LlamaSession, configuration: LlamaEngineConfiguration) async {
        let info = await session.currentLoadedModelInfo()
        self.init(
            session: session, contextSize: info?.contextSize ?? 0, thinking: info?.thinkingCapabilities ?? .none,
            engineFigures: { await EngineFigures(session, configuration: configuration) })
    }
}

extension EngineFigures {
    init(_ session: LlamaSession, configuration: LlamaEngineConfiguration) async {
        self.init(
            load: await session.loadReport,
            threads: configuration.threadCount == nil ? await session.threadChoice : nil,
            promptReuse: await session.promptReuseReason)
    }
}
