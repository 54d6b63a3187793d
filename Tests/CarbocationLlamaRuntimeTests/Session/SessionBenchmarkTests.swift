import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

/// Shows how long a session of 1,500 tokens takes to save, restore and fork.
@Suite(.needsRuntime) struct SessionBenchmarkTests {
    private static let variable = "CARBOCATION_BENCHMARK_SESSION"
    private static let sentence = "The quick brown fox jumps over the lazy dog. "

    private static var model: LlamaModelDescriptor? {
        let environment = ProcessInfo.processInfo.environment
        guard environment[variable] != nil, let path = environment["LLAMA_TEST_MODEL_PATH"] else { return nil }
        return LlamaModelDescriptor(url: URL(fileURLWithPath: path))
    }

    @Test(
        "save, restore and fork",
        .enabled("set \(variable) to 1, and LLAMA_TEST_MODEL_PATH to a model") { model != nil })
    func times() async throws {
        let model = try #require(Self.model)
        let configuration = LlamaEngineConfiguration(gpuLayerCount: 0)
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 40)
        let session = try await LlamaSession(model: model, requestedContext: 2048, configuration: configuration)
        let first = try await session.generatePhased(
            prompt: String(repeating: Self.sentence, count: 143), options: options)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("talk.session")
        for _ in 0..<5 {
            let save = try await ContinuousClock().measure { try await session.save(to: file) }
            var copies: [LlamaSession] = []
            let restore = try await ContinuousClock().measure {
                copies.append(
                    try await LlamaSession(restoring: file, configuration: configuration) { _ in model })
            }
            let fork = try await ContinuousClock().measure { copies.append(try await session.fork()) }
            let tokens = first.promptTokens + first.generatedTokens
            print("\(tokens) tokens: save \(save), restore \(restore), fork \(fork)")
            for copy in copies { await copy.unload() }
        }
    }
}
