import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

/// The figures of `bench`.
struct BenchReport {
    let plan: BenchPlan
    /// As the model's file says, nil when it does not.
    let architecture: String?
    let contextSize: Int
    /// As configured, nil when the engine chose.
    let threads: Int32?
    let loadTime: Duration
    /// Seconds per token for the way from a sampled token to an event that was read.
    let stageCost: StageCost
    let samples: [BenchSample]
    let peakMemory: Int?

    private var prefill: Spread? { Spread(samples.compactMap(\.prefillRate)) }
    private var decode: Spread? { Spread(samples.compactMap(\.decodeRate)) }

    var text: String {
        let lines = [
            "load: \(Figure.milliseconds(loadTime))",
            "prefill: \(Self.figure(prefill, samples.map(\.promptTokens), "prompt tokens"))",
            "decode: \(Self.figure(decode, samples.map(\.generatedTokens), "generated tokens"))",
            String(
                format: "stages: %.2f µs per token, %.2f in an output of 64 KiB", stageCost.short * 1e6,
                stageCost.long * 1e6),
            "peak memory: \(peakMemory.map(Figure.mebibytes) ?? "unknown")",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    var json: LLMJSONValue {
        [
            "architecture": .text(architecture),
            "contextSize": .int(Int64(contextSize)),
            "threads": threads.map { .int(Int64($0)) } ?? .null,
            "requested": [
                "promptTokens": .int(Int64(plan.promptTokens)),
                "generateTokens": .int(Int64(plan.generateTokens)),
                "repetitions": .int(Int64(plan.repetitions)),
            ],
            "stageMicrosecondsPerToken": .double(stageCost.short * 1e6),
            "stageMicrosecondsPerTokenOfLongOutput": .double(stageCost.long * 1e6),
            "loadMilliseconds": .double(loadTime / .milliseconds(1)),
            "prefillTokensPerSecond": prefill?.json ?? .null,
            "decodeTokensPerSecond": decode?.json ?? .null,
            "peakMemoryBytes": peakMemory.map { .int(Int64($0)) } ?? .null,
            "repetitions": .array(samples.map(\.json)),
        ]
    }

    private static func figure(_ spread: Spread?, _ counts: [Int], _ unit: String) -> String {
        let least = counts.min() ?? 0
        let most = counts.max() ?? 0
        let count = "\(least == most ? "\(least)" : "\(least)–\(most)") \(unit)"
        guard let spread else { return "not measurable (\(count))" }
        let range = String(format: "%.1f–%.1f", spread.least, spread.most)
        return "\(Figure.rate(spread.median)) (median of \(counts.count), \(range); \(count))"
    }
}
