import CarbocationLlamaRuntime
import Foundation

let engine = LlamaEngine()
do {
    let model = URL(fileURLWithPath: CommandLine.arguments[1])
    let info = try await engine.load(modelAt: model, requestedContext: 256)
    print("loaded: a model of \(info.trainingContextSize) tokens")
    await engine.unload()
} catch {
    print("not loaded: \(error.localizedDescription)")
}
