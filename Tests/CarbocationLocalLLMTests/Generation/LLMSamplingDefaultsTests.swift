import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMSamplingDefaults")
struct LLMSamplingDefaultsTests {
    @Test("SL-3: the two ready-made layers")
    func readyMade() {
        #expect(LLMSamplingDefaults.providerDefault == LLMSamplingDefaults())
        #expect(LLMSamplingDefaults.extractionSafe == LLMSamplingDefaults(temperature: 0, topP: 0.9, topK: 40))
    }

    @Test("SL-1: layers from low to high, with the request on top")
    func layers() {
        let resolved = LLMSamplingDefaults.extractionSafe
            .merged(with: LLMSamplingDefaults(temperature: 0.7, minP: 0))
            .merged(with: LLMSamplingDefaults(topK: 20, presencePenalty: 1.5))
            .applying(to: GenerationOptions(topP: 0.95, repetitionPenalty: 1.0, maxOutputTokens: 128))
        #expect(
            resolved
                == GenerationOptions(
                    temperature: 0.7, topP: 0.95, topK: 20, minP: 0, presencePenalty: 1.5, repetitionPenalty: 1.0,
                    maxOutputTokens: 128))
    }

    @Test("SL-1: the file's defaults over extractionSafe, the request's temperature on top")
    func fileDefaults() {
        let resolved = LLMSamplingDefaults.extractionSafe
            .merged(with: LLMSamplingDefaults(temperature: 1, topP: 0.95, topK: 20))
            .applying(to: GenerationOptions(temperature: 0.2))
        #expect(resolved == GenerationOptions(temperature: 0.2, topP: 0.95, topK: 20))
    }

    @Test("SL-1: nil never overrides, an explicit 0 does")
    func nilAndZero() {
        let base = LLMSamplingDefaults(
            temperature: 1, topP: 0.5, topK: 5, minP: 0.1, presencePenalty: 0.2, repetitionPenalty: 1.2, seed: 7)
        #expect(base.merged(with: nil) == base)
        #expect(base.merged(with: .providerDefault) == base)
        let zeros = LLMSamplingDefaults(
            temperature: 0, topP: 0, topK: 0, minP: 0, presencePenalty: 0, repetitionPenalty: 0, seed: 0)
        #expect(base.merged(with: zeros) == zeros)
    }

    @Test("SL-3: only open fields of the request are filled")
    func applying() {
        let base = LLMSamplingDefaults(
            temperature: 1, topP: 0.5, topK: 5, minP: 0.1, presencePenalty: 0.2, repetitionPenalty: 1.2, seed: 7)
        let filled = GenerationOptions(
            temperature: 1, topP: 0.5, topK: 5, minP: 0.1, presencePenalty: 0.2, repetitionPenalty: 1.2, seed: 7)
        #expect(base.applying(to: GenerationOptions()) == filled)
        let full = GenerationOptions(
            temperature: 0, topP: 1, topK: 1, minP: 0, presencePenalty: 0, repetitionPenalty: 1, seed: 0,
            stopSequences: ["x"])
        #expect(base.applying(to: full) == full)
    }

    @Test("layers are stored as JSON with only what they set")
    func codable() throws {
        let layer = LLMSamplingDefaults(temperature: 0, seed: 12)
        let data = try JSONEncoder().encode(layer)
        #expect(try LLMJSONValue(jsonData: data) == ["temperature": 0, "seed": 12])
        #expect(try JSONDecoder().decode(LLMSamplingDefaults.self, from: data) == layer)
        #expect(try JSONDecoder().decode(LLMSamplingDefaults.self, from: Data("{}".utf8)) == .providerDefault)
    }
}
