import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Sampler settings")
struct SamplerSettingsTests {
    @Test("M01: temperature nil, 0, -0 and below are greedy; a tiny one stays positive", arguments: [nil, 0, -0.0, -3])
    func greedy(temperature: Double?) throws {
        #expect(try SamplerSettings(GenerationOptions(temperature: temperature)).isGreedy)
        let tiny = try SamplerSettings(GenerationOptions(temperature: 1e-300))
        #expect(!tiny.isGreedy)
        #expect(tiny.temperature > 0 && tiny.temperature.isFinite)
    }

    @Test(
        "M03: top-k 0 or less means no limit", arguments: [(nil, 0), (0, 0), (-7, 0), (40, 40), (Int.max, Int32.max)])
    func topK(option: Int?, setting: Int32) throws {
        #expect(try SamplerSettings(GenerationOptions(topK: option)).topK == setting)
    }

    @Test("GO-4: shares above 1 count as 1; unset ones are off")
    func shares() throws {
        let set = try SamplerSettings(GenerationOptions(topP: 3, minP: 1.5))
        #expect(set.topP == 1 && set.minP == 1)
        let unset = try SamplerSettings(GenerationOptions())
        #expect(unset.topP == 1 && unset.minP == 0)
    }

    @Test("values beyond Float stay finite")
    func extremes() throws {
        let settings = try SamplerSettings(
            GenerationOptions(temperature: 1e300, presencePenalty: -1e300, repetitionPenalty: 1e300))
        #expect(settings.temperature == .greatestFiniteMagnitude)
        #expect(settings.presencePenalty == -.greatestFiniteMagnitude)
        #expect(settings.repetitionPenalty == .greatestFiniteMagnitude)
        #expect(try SamplerSettings(GenerationOptions(repetitionPenalty: 1e-300)).repetitionPenalty > 0)
    }

    @Test("M04: a given seed is used, an unset one is drawn anew")
    func seeds() throws {
        let unset = GenerationOptions(temperature: 1)
        #expect(try SamplerSettings(unset, unsetSeed: 7).seed == 7)
        // Of eight draws two differ, but for one time in 2^224.
        #expect(try Set((0..<8).map { _ in try SamplerSettings(unset).seed }).count > 1)
        #expect(try SamplerSettings(GenerationOptions(seed: .max), unsetSeed: 7).seed == .max)
    }
}
