import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct GenerationOptionsResolverTests {
    /// Preferences that no other test sees.
    private func resolve(_ values: [String: Any]) throws -> GenerationOptions {
        let name = "resolver-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        for (key, value) in values { defaults.set(value, forKey: key) }
        return GenerationOptionsResolver.configuredExtractionOptions(defaults: defaults)
    }

    @Test("SL-4: the keys")
    func keys() {
        let keys = GenerationOptionsPreferenceKeys.standard
        #expect(keys.optionsMode == "llama.optionsMode")
        #expect(
            [
                keys.temperature, keys.topP, keys.topK, keys.minP, keys.presencePenalty, keys.repetitionPenalty,
                keys.seed,
            ]
                == [
                    "llama.temperature", "llama.topP", "llama.topK", "llama.minP", "llama.presencePenalty",
                    "llama.repetitionPenalty", "llama.seed",
                ])
    }

    @Test("SL-4: any mode but custom gives the steady choices", arguments: [nil, "extractionSafe", "CUSTOM", ""])
    func modes(mode: String?) throws {
        var values: [String: Any] = ["llama.temperature": 0.9, "llama.topK": 3]
        if let mode { values["llama.optionsMode"] = mode }
        #expect(try resolve(values) == .extractionSafe)
    }

    @Test("SL table: custom values")
    func custom() throws {
        let options = try resolve([
            "llama.optionsMode": "custom", "llama.temperature": 0.2, "llama.topP": 0.7, "llama.topK": 64,
            "llama.minP": 0.05, "llama.presencePenalty": 1.5, "llama.repetitionPenalty": 1.0, "llama.seed": "1234",
        ])
        let expected = GenerationOptions(
            temperature: 0.2, topP: 0.7, topK: 64, minP: 0.05, presencePenalty: 1.5, repetitionPenalty: 1.0,
            seed: 1_234)
        #expect(options == expected)
    }

    @Test("SL-4: custom without values has only topP and topK")
    func bare() throws {
        #expect(try resolve(["llama.optionsMode": "custom"]) == GenerationOptions(topP: 0.9, topK: 40))
        let negative: [String: Any] = ["llama.optionsMode": "custom", "llama.topP": -1, "llama.topK": 0]
        #expect(try resolve(negative) == GenerationOptions(topP: 0.9, topK: 40))
    }

    static let seeds: [(any Sendable, UInt32?)] = [
        (" 7 ", 7), ("4294967295", .max), ("4294967296", nil), ("-1", nil), ("", nil), ("x", nil), ("0x10", nil),
        ("1.5", nil), (12, 12), (12.0, 12), (1.5, nil), (-3, nil), (1e300, nil),
    ]

    @Test("SL-4: seeds as text and as numbers", arguments: 0..<seeds.count)
    func seed(index: Int) throws {
        let (stored, expected) = Self.seeds[index]
        #expect(try resolve(["llama.optionsMode": "custom", "llama.seed": stored]).seed == expected)
    }

    @Test("SL-4: values that are no numbers count as not stored", arguments: ["nan", "inf", "warm", "1e400"])
    func nonsense(text: String) throws {
        let options = try resolve([
            "llama.optionsMode": "custom", "llama.temperature": text, "llama.topP": text, "llama.topK": text,
        ])
        #expect(options == GenerationOptions(topP: 0.9, topK: 40))
    }
}
