import CarbocationLlamaRuntime
import CarbocationLocalLLM
package import Foundation

extension LlamaModelRuntime {
    package func openChat(_ request: ModelLoadRequest, system: String) async throws -> OpenChat {
        if let facade = FacadeModel(request) { return try await facade.openChat(system: system) }
        guard let descriptor = request.source.descriptor else { throw Self.notAFile(request.source) }
        return await OpenChat(
            try await LlamaSession(
                model: descriptor, requestedContext: request.context, configuration: request.configuration,
                system: system))
    }

    /// Not through the facade, which would load whichever model the file belongs to before that can be told.
    package func restoreChat(from url: URL, _ request: ModelLoadRequest) async throws -> OpenChat {
        guard let descriptor = request.source.descriptor else { throw LLMSessionError.saveUnsupported }
        return await OpenChat(
            try await LlamaSession(restoring: url, configuration: request.configuration) { _ in descriptor })
    }
}

extension OpenChat {
    fileprivate init(_ session: LlamaSession) async {
        let info = await session.currentLoadedModelInfo()
        self.init(
            session: session, contextSize: info?.contextSize ?? 0, thinking: info?.thinkingCapabilities ?? .none)
    }
}
