import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Calibrating a model", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineCalibrationTests {
    private static let configuration = LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1)

    private func model(contextLength: Int = 2048) -> InstalledModel {
        InstalledModel(
            id: UUID(), displayName: "Pocket", filename: "pocket.gguf", sizeBytes: 1, contextLength: contextLength)
    }

    private func calibrate(
        _ model: InstalledModel, at url: URL = PocketModel.url,
        configuration: LlamaEngineConfiguration = Self.configuration, in store: LlamaContextCalibrationStore,
        onProgress: @escaping @Sendable (LlamaContextCalibrationProgress) -> Void = { _ in }
    ) async throws -> LlamaContextCalibrationRecord {
        try await LlamaEngine.calibrateContext(
            modelAt: url, model: model, configuration: configuration, store: store, onProgress: onProgress)
    }

    @Test("a small model works up to its training context, and the record is found again")
    func complete() async throws {
        try await Calibrations.withStore { store in
            let model = model()
            let phases = Locked<[LlamaContextCalibrationProgressPhase]>([])
            let record = try await calibrate(model, in: store) { progress in
                phases.withLock { $0.append(progress.phase) }
            }
            #expect(record.maximumSupportedContext == LlamaEngine.probeTrainingContext(at: PocketModel.url))
            #expect(phases.withLock { $0 } == [.loadingModel, .probing, .probeSucceeded, .saving, .completed])
            let runtime = LlamaEngine.contextCalibrationRuntimeFingerprint(configuration: Self.configuration)
            #expect(store.record(for: model, runtime: runtime) == record)
            var other = Self.configuration
            other.batchSizeLimit = 1024
            let otherRuntime = LlamaEngine.contextCalibrationRuntimeFingerprint(configuration: other)
            #expect(store.record(for: model, runtime: otherRuntime) == nil)
        }
    }

    @Test(
        "every kind of memory is computed with, and prediction layers as well",
        arguments: RandomModel.allCases + [.glm4moe, .qwen35])
    func kinds(kind: RandomModel) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try kind.write(to: url)
        try await Calibrations.withStore { store in
            let record = try await calibrate(model(contextLength: 512), at: url, in: store)
            #expect(record.maximumSupportedContext == 512)
        }
    }

    @Test("a draft model's context is made beside it")
    func draft() async throws {
        try await Calibrations.withStore { store in
            var configuration = Self.configuration
            configuration.draftModelURL = PocketModel.url
            let record = try await calibrate(model(), configuration: configuration, in: store)
            #expect(record.maximumSupportedContext > 0)
        }
    }

    @Test("what is loaded stays loaded and generates on")
    func besideAnEngine() async throws {
        try await Calibrations.withStore { store in
            let engine = try await PocketModel.engine(context: 512)
            let request = LLMGenerationRequest(
                prompt: "Hello", options: GenerationOptions(temperature: 0, maxOutputTokens: 8))
            let before = try await engine.stream(request).result().finalText
            async let record = calibrate(model(), in: store)
            let during = try await engine.stream(request).result().finalText
            #expect(try await record.maximumSupportedContext > 0)
            #expect(await engine.currentContextSize() == 512)
            let after = try await engine.stream(request).result().finalText
            #expect([before, during, after] == [before, before, before])
        }
    }

    @Test("cancelling while it computes ends it with nothing stored")
    func cancellation() async throws {
        try await Calibrations.withStore { store in
            let model = model()
            let phases = Locked<[LlamaContextCalibrationProgressPhase]>([])
            let probing = OneShot<Void>()
            let task = Task {
                try await calibrate(model, in: store) { progress in
                    phases.withLock { $0.append(progress.phase) }
                    if progress.phase == .probing { probing.resolve(()) }
                }
            }
            await probing.value()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(phases.withLock { $0.last } == .cancelled)
            let runtime = LlamaEngine.contextCalibrationRuntimeFingerprint(configuration: Self.configuration)
            #expect(store.record(for: model, runtime: runtime) == nil)
        }
    }

    @Test("a batch is aborted inside of llama.cpp")
    func abort() throws {
        let model = try NativeModel(path: PocketModel.url.path, usesMemoryMap: false)
        let signal = CancellationSignal()
        let attempt = ContextAttempt(
            trial: ContextTrial(contextSize: 2048, batchSize: 2048), configuration: Self.configuration,
            hasPredictionLayers: false, threads: 1, opened: OpenedMemory(), noteDraftModel: { _ in },
            willCompute: { context in
                // As early as can be: from here on nothing but the abort ends the batch.
                context.requestAbort()
            })
        #expect(throws: CancellationError.self) { try attempt.run(with: model, signal: signal) }
    }

    @Test("a file that is no model cannot be calibrated")
    func broken() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data("GGUF".utf8).write(to: url)
        try await Calibrations.withStore { store in
            let error = await #expect(throws: LLMEngineError.self) { try await calibrate(model(), at: url, in: store) }
            guard case .modelLoadFailed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("only tokens of text are computed")
    func ordinaryTokens() throws {
        let model = try NativeModel(path: PocketModel.url.path, vocabularyOnly: true)
        let tokens = model.ordinaryTokens(limit: 64)
        #expect(tokens.count == 64)
        #expect(Set(tokens).count == 64)
        for token in tokens {
            #expect(!model.endsGeneration(token) && !model.isMarker(token))
            #expect(token != model.bosToken && token != model.eosToken)
        }
    }
}
