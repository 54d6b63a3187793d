import CarbocationLlamaRuntime
import Foundation

extension CommandContext {
    /// Loads the model in a file, hands it to `body` with the time that took, and frees it, whatever happens.
    func withModel<Value: Sendable>(
        at url: URL, context: Int, configuration: LlamaEngineConfiguration,
        _ body: (LoadedModel, _ loadTime: Duration) async throws -> Value
    ) async throws -> Value {
        try await withModel(
            ModelLoadRequest(source: .file(url), context: context, configuration: configuration), body)
    }

    /// Loads a model, hands it to `body` with the time that took, and frees it, whatever happens.
    func withModel<Value: Sendable>(
        _ request: ModelLoadRequest, _ body: (LoadedModel, _ loadTime: Duration) async throws -> Value
    ) async throws -> Value {
        let (model, loadTime) = try await loading(request) { try await runtime.load(request) }
        detail("loaded in \(Figure.milliseconds(loadTime)), context \(model.contextSize) tokens")
        do {
            let value = try await body(model, loadTime)
            await model.unload()
            return value
        } catch {
            await model.unload()
            throw error
        }
    }

    /// Shows that a model is being loaded while `body` does it, and times that.
    func loading<Value>(
        _ request: ModelLoadRequest, _ body: () async throws -> Value
    ) async throws -> (Value, Duration) {
        let start = environment.now()
        let name = request.source.url?.lastPathComponent ?? request.source.displayName
        let value = try await showing("Loading \(PlainText.clean(name)) …", during: body)
        return (value, environment.now() - start)
    }
}
