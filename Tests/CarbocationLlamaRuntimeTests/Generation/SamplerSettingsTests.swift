import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Sampler settings")
struct SamplerSettingsTests {
    private struct CountingGenerator: RandomNumberGenerator {
        var value: UInt64
        mutating func next() -> UInt64 {
            value &+= 0x9E37_79B9_7F4A_7C15
            return value
        }
    }

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
        var generator = CountingGenerator(value: 1)
        let first = try SamplerSettings(GenerationOptions(temperature: 1), using: &generator).seed
        let second = try SamplerSettings(GenerationOptions(temperature: 1), using: &generator).seed
        #expect(first != second)
        #expect(try SamplerSettings(GenerationOptions(seed: .max)).seed == .max)
    }
}
