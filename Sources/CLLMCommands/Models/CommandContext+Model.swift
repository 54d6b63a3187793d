import CarbocationLlamaRuntime
import Foundation

extension CommandContext {
    /// Loads a model, hands it to `body` with the time that took, and frees it, whatever happens.
    func withModel<Value: Sendable>(
        at url: URL, context: Int, configuration: LlamaEngineConfiguration,
        _ body: (LoadedModel, _ loadTime: Duration) async throws -> Value
    ) async throws -> Value {
        let start = environment.now()
        let request = ModelLoadRequest(url: url, context: context, configuration: configuration)
        let model = try await showing("Loading \(url.lastPathComponent) …") { try await runtime.load(request) }
        let loadTime = environment.now() - start
        detail("loaded in \(Figure.milliseconds(loadTime)), context \(model.details.contextSize) tokens")
        do {
            let value = try await body(model, loadTime)
            await model.unload()
            return value
        } catch {
            await model.unload()
            throw error
        }
    }
}
