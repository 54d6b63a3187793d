import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct LLMSamplingDefaultsResolverTests {
    private let entry = CuratedModel(
        id: "x", displayName: "x", hfRepo: "o/r", hfFilename: "f.gguf", approximateSizeBytes: 1, contextLength: 1,
        quantization: "Q4_0", recommendedRAMGB: 8, samplingDefaults: LLMSamplingDefaults(temperature: 0.7, minP: 0))

    private func model(_ source: ModelSource = .curated, file: LLMSamplingDefaults? = nil) -> InstalledModel {
        InstalledModel(
            id: UUID(), displayName: "x", filename: "f.gguf", sizeBytes: 1, source: source, hfRepo: "o/r",
            hfFilename: "f.gguf", samplingDefaults: file)
    }

    @Test("SL table: all layers, low to high")
    func layers() {
        let options = LLMSamplingDefaultsResolver.resolvedOptions(
            installedModel: model(), curatedModels: [entry],
            appOverrides: [entry.reference: LLMSamplingDefaults(topK: 20, presencePenalty: 1.5)],
            requestOptions: GenerationOptions(topP: 0.95, repetitionPenalty: 1.0, maxOutputTokens: 128))
        let expected = GenerationOptions(
            temperature: 0.7, topP: 0.95, topK: 20, minP: 0, presencePenalty: 1.5, repetitionPenalty: 1.0,
            maxOutputTokens: 128)
        #expect(options == expected)
    }

    @Test(
        "SL-2: a model of another origin has neither the curated layer nor overrides",
        arguments: [
            ModelSource.customHF, .imported,
        ])
    func otherOrigin(source: ModelSource) {
        let defaults = LLMSamplingDefaultsResolver.resolvedDefaults(
            installedModel: model(source), curatedModels: [entry],
            appOverrides: [entry.reference: LLMSamplingDefaults(topK: 20)])
        #expect(defaults == .extractionSafe)
    }

    @Test("SL table: what the file recommends lies over the globals and under the request")
    func fileLayer() {
        let file = LLMSamplingDefaults(temperature: 1, topP: 0.95, topK: 20)
        let options = LLMSamplingDefaultsResolver.resolvedOptions(
            installedModel: model(.imported, file: file), requestOptions: GenerationOptions(temperature: 0.2))
        #expect(options == GenerationOptions(temperature: 0.2, topP: 0.95, topK: 20))
    }

    @Test("SL-1: the curated layer lies over the file's, and an override needs no entry")
    func order() {
        let file = LLMSamplingDefaults(temperature: 1, minP: 0.3)
        let curated = LLMSamplingDefaultsResolver.resolvedDefaults(
            globalDefaults: .providerDefault, installedModel: model(file: file), curatedModels: [entry])
        #expect(curated == LLMSamplingDefaults(temperature: 0.7, minP: 0))
        let overridden = LLMSamplingDefaultsResolver.resolvedDefaults(
            globalDefaults: .providerDefault, installedModel: model(), curatedModels: [],
            appOverrides: [entry.reference: LLMSamplingDefaults(topK: 5)])
        #expect(overridden == LLMSamplingDefaults(topK: 5))
    }

    @Test("SL-1: without a model only the globals count")
    func noModel() {
        let defaults = LLMSamplingDefaultsResolver.resolvedDefaults(
            installedModel: nil, curatedModels: [entry],
            appOverrides: [entry.reference: LLMSamplingDefaults(topK: 5)])
        #expect(defaults == .extractionSafe)
    }

    @Test("SL-1: layers given one by one; explicit 0 and 1 override, nil does not")
    func oneByOne() {
        let defaults = LLMSamplingDefaultsResolver.resolvedDefaults(
            globalDefaults: LLMSamplingDefaults(temperature: 0.5, topP: 0.5, topK: 5),
            curatedDefaults: LLMSamplingDefaults(temperature: 0, topP: 1.0),
            appOverrides: LLMSamplingDefaults(topK: 7))
        #expect(defaults == LLMSamplingDefaults(temperature: 0, topP: 1.0, topK: 7))
        #expect(LLMSamplingDefaultsResolver.resolvedDefaults() == .extractionSafe)
    }
}
