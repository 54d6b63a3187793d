import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Estimates of contexts", .needsRuntime)
struct ContextMemoryTests {
    private static func configuration(
        _ change: (inout LlamaEngineConfiguration) -> Void = { _ in }
    ) -> LlamaEngineConfiguration {
        var configuration = LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1)
        change(&configuration)
        return configuration
    }

    /// A file with the model that exists while `body` runs.
    private static func with<Result>(
        _ model: RandomModel, _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try model.write(to: url)
        return try await body(url)
    }

    @Test(
        "what is estimated is what a context takes",
        arguments: RandomModel.allCases, [512, 1024, 2048])
    func measured(kind: RandomModel, size: Int) async throws {
        let configuration = Self.configuration { $0.useMemoryMap = false }
        try await Self.with(kind) { url in
            let report = try #require(
                try await LlamaEngine.contextMemory(modelAt: url, contexts: [size], configuration: configuration).first)
            let model = try NativeModel(path: url.path, usesMemoryMap: false)
            let settings = ContextSettings(configuration, contextSize: size, batchSize: size, threads: 1)
            let real = try NativeContext(model: model, settings: settings).memory()
            #expect(report.total.modelBytes == real.map(\.modelBytes).reduce(0, +))
            #expect(report.total.contextBytes == real.map(\.contextBytes).reduce(0, +))
            #expect(report.total.contextBytes > 0)
            let compute = Double(real.map(\.computeBytes).reduce(0, +))
            #expect(abs(Double(report.total.computeBytes) - compute) <= 0.03 * compute)
        }
    }

    @Test("prediction layers count with their cache", arguments: [RandomModel.glm4moe, .qwen35])
    func predictions(kind: RandomModel) async throws {
        try await Self.with(kind) { url in
            let totals = try await [LLMAccelerationPolicy.automatic, .disabled].asyncMap { policy in
                let configuration = Self.configuration { $0.accelerationPolicy = policy }
                return try await LlamaEngine.contextMemory(
                    modelAt: url, contexts: [512], configuration: configuration)[0].total
            }
            #expect(totals[0].contextBytes > totals[1].contextBytes)
            #expect(totals[0].modelBytes > totals[1].modelBytes)
            let model = try NativeModel(path: url.path, usesMemoryMap: false, predicts: true)
            let settings = ContextSettings(
                Self.configuration(), contextSize: 512, batchSize: 512, threads: 1, predictionTokens: 1)
            let real = try NativeContext(model: model, settings: settings).memory()
            #expect(totals[0].contextBytes == real.map(\.contextBytes).reduce(0, +))
        }
    }

    @Test("a draft model counts with its weights and its cache; one that cannot be used does not")
    func draft() async throws {
        let alone = try await LlamaEngine.contextMemory(
            modelAt: PocketModel.url, contexts: [512], configuration: Self.configuration())[0].total
        let pair = try await LlamaEngine.contextMemory(
            modelAt: PocketModel.url, contexts: [512],
            configuration: Self.configuration { $0.draftModelURL = PocketModel.url })[0].total
        #expect(pair.modelBytes == 2 * alone.modelBytes)
        #expect(pair.contextBytes == 2 * alone.contextBytes)
        let missing = try await LlamaEngine.contextMemory(
            modelAt: PocketModel.url, contexts: [512],
            configuration: Self.configuration { $0.draftModelURL = URL(fileURLWithPath: "/nonexistent.gguf") })[0].total
        #expect(missing == alone)
    }

    @Test("every size that a calibration may try, when none is named")
    func tiers() async throws {
        let reports = try await LlamaEngine.contextMemory(
            modelAt: PocketModel.url, configuration: Self.configuration())
        let training = LlamaEngine.probeTrainingContext(at: PocketModel.url) ?? 0
        #expect(reports.map(\.contextSize) == LlamaContextCalibrationAlgorithm.tiers(upTo: training))
        #expect(reports.map(\.total.contextBytes) == reports.map(\.total.contextBytes).sorted())
        #expect(reports.allSatisfy { $0.fits && $0.devices.first?.kind == .host })
    }

    @Test("broken files are refused", arguments: [0, 4, 1000, 40_000])
    func truncated(length: Int) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(contentsOf: PocketModel.url).prefix(length).write(to: url)
        let error = await #expect(throws: LLMEngineError.self) {
            _ = try await LlamaEngine.contextMemory(modelAt: url, configuration: Self.configuration())
        }
        guard case .modelLoadFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("models on servers are refused")
    func servers() async throws {
        await #expect(throws: LLMEngineError.self) {
            _ = try await LlamaEngine.contextMemory(
                modelAt: PocketModel.url,
                configuration: LlamaEngineConfiguration(gpuLayerCount: 1, rpcServers: ["127.0.0.1:1"]))
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
