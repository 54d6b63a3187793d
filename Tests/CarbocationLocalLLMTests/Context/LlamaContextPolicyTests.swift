import CarbocationLocalLLM
import Testing

@Suite("LlamaContextPolicy")
struct LlamaContextPolicyTests {
    @Test("CP-1: the constants")
    func constants() {
        #if os(iOS)
            #expect(LlamaContextPolicy.defaultAutoCap == 4_096)
            #expect(LlamaContextPolicy.unknownTrainingFallback == 4_096)
        #else
            #expect(LlamaContextPolicy.defaultAutoCap == 16_384)
            #expect(LlamaContextPolicy.unknownTrainingFallback == 8_192)
        #endif
        #expect(LlamaContextPolicy.legacyDefaultNumCtx == 8_192)
        #expect(LlamaContextPolicy.minimumContext == 512)
    }

    @Test(
        "CP-2: sanitised sizes",
        arguments: [(0, 8_192), (-5, 8_192), (.min, 8_192), (100, 512), (512, 512), (12_000, 12_000), (.max, .max)])
    func sanitized(value: Int, expected: Int) {
        #expect(LlamaContextPolicy.sanitizedContext(value) == expected)
    }

    #if !os(iOS)
        @Test(
            "CP-4: automatic sizes",
            arguments: [
                (262_144, nil, nil, 16_384),
                (262_144, 32_768, nil, 32_768),
                (262_144, 131_072, 65_536, 65_536),
                (262_144, 65_536, nil, 65_536),
                (262_144, 65_536, 32_768, 32_768),
                (262_144, 65_536, 131_072, 65_536),
                (262_144, nil, 65_536, 16_384),
                (262_144, 262_144, 65_536, 65_536),
                (262_144, nil, 262_144, 16_384),
                (262_144, 32_768, 262_144, 32_768),
                (4_096, nil, nil, 4_096),
                (0, nil, nil, 8_192),
                (-1, nil, nil, 8_192),
                (100, nil, nil, 512),
                (32_768, 0, nil, 16_384),
                (32_768, 100, nil, 512),
                (32_768, nil, 0, 16_384),
                (32_768, nil, 100, 512),
            ] as [(Int, Int?, Int?, Int)])
        func auto(training: Int, cap: Int?, calibrated: Int?, expected: Int) {
            let context =
                if let cap {
                    LlamaContextPolicy.autoContext(
                        trainingContext: training, autoCap: cap, calibratedMaximum: calibrated)
                } else {
                    LlamaContextPolicy.autoContext(trainingContext: training, calibratedMaximum: calibrated)
                }
            #expect(context == expected)
        }

        @Test("CP-5: a load without request and training takes the fallback")
        func loadFallback() {
            #expect(LlamaContextPolicy.clampedLoadContext(requested: 0, training: 0) == 8_192)
        }
    #endif

    @Test(
        "CP-5: a load is clamped to the training context and the minimum",
        arguments: [
            (32_768, 16_384, 16_384), (128, 16_384, 512), (0, 16_384, 16_384), (-1, 4_096, 4_096),
            (32_768, 0, 32_768), (4_096, 100, 512), (8_192, 16_384, 8_192),
        ])
    func load(requested: Int, training: Int, expected: Int) {
        #expect(LlamaContextPolicy.clampedLoadContext(requested: requested, training: training) == expected)
    }

    @Test("the modes have their stored names")
    func modes() {
        #expect(LlamaContextMode(rawValue: "auto") == .auto)
        #expect(LlamaContextMode(rawValue: "manual") == .manual)
        #expect(LlamaContextMode(rawValue: "bogus") == nil)
    }
}
