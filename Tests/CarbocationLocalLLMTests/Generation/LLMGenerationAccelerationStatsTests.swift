import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMGenerationAccelerationStats")
struct LLMGenerationAccelerationStatsTests {
    @Test(
        "RS-4: the acceptance rate",
        arguments: [(8, 6, 0.75), (8, 0, 0), (0, 0, nil)] as [(Int, Int, Double?)])
    func acceptanceRate(generated: Int, accepted: Int, expected: Double?) {
        let stats = LLMGenerationAccelerationStats(
            status: .active, accelerator: "mtp", draftTokensGenerated: generated, draftTokensAccepted: accepted)
        #expect(stats.acceptanceRate == expected)
    }

    @Test("RS-4: merging adds counters and takes the larger draft size")
    func merge() {
        var stats = LLMGenerationAccelerationStats(
            status: .active, accelerator: "mtp", maxDraftTokens: 1, draftCalls: 2, draftTokensGenerated: 3,
            draftTokensAccepted: 2)
        stats.merge(
            LLMGenerationAccelerationStats(
                status: .disabledByPolicy, accelerator: "none", maxDraftTokens: 4, draftCalls: 10,
                draftTokensGenerated: 20, draftTokensAccepted: 5))
        #expect(
            stats
                == LLMGenerationAccelerationStats(
                    status: .active, accelerator: "mtp", maxDraftTokens: 4, draftCalls: 12, draftTokensGenerated: 23,
                    draftTokensAccepted: 7))
    }

    @Test("RS-4: the higher status wins, with its accelerator")
    func statusOrder() {
        let ascending: [LLMGenerationAccelerationStatus] = [
            .unsupported, .disabledByPolicy, .runtimeUnavailable, .disabledByIncompatibleControlPath,
            .disabledByMeasurement, .active,
        ]
        for (low, first) in ascending.enumerated() {
            for (high, second) in ascending.enumerated() {
                var stats = LLMGenerationAccelerationStats(status: first, accelerator: "first")
                stats.merge(LLMGenerationAccelerationStats(status: second, accelerator: "second"))
                #expect(stats.status == ascending[max(low, high)])
                #expect(stats.accelerator == (high > low ? "second" : "first"))
            }
        }
    }

    @Test("merging cannot overflow")
    func saturation() {
        var stats = LLMGenerationAccelerationStats(status: .active, accelerator: "mtp", draftCalls: .max)
        stats.merge(LLMGenerationAccelerationStats(status: .active, accelerator: "mtp", draftCalls: 1))
        #expect(stats.draftCalls == .max)
    }

    @Test("stored names, round trip and missing counters")
    func codable() throws {
        let json = Data(#"{"status":"disabled-by-incompatible-control-path","accelerator":"draft"}"#.utf8)
        let stats = try JSONDecoder().decode(LLMGenerationAccelerationStats.self, from: json)
        #expect(
            stats
                == LLMGenerationAccelerationStats(status: .disabledByIncompatibleControlPath, accelerator: "draft"))
        let full = LLMGenerationAccelerationStats(
            status: .active, accelerator: "ngram", maxDraftTokens: 1, draftCalls: 2, draftTokensGenerated: 3,
            draftTokensAccepted: 1)
        let data = try JSONEncoder().encode(full)
        #expect(try JSONDecoder().decode(LLMGenerationAccelerationStats.self, from: data) == full)
        #expect(LLMGenerationAccelerationStatus.runtimeUnavailable.rawValue == "runtime-unavailable")
        #expect(LLMAccelerationPolicy.automatic.rawValue == "automatic")
    }
}
