import CarbocationLocalLLM
import Foundation

/// The figures of `bench --workload`.
struct WorkloadReport {
    let workload: Workload
    /// Tokens of context that were really there.
    let contextSize: Int
    /// As configured, nil when the engine chose.
    let threads: Int32?
    /// By conversation, then by turn.
    let samples: [[BenchSample]]
    let duration: Duration
    let loadTime: Duration
    let peakMemory: Int?

    private var turns: [BenchSample] { samples.flatMap(\.self) }
    private var generatedTokens: Int { turns.reduce(0) { $0 + $1.generatedTokens } }
    /// Tokens generated per second, by all conversations together.
    private var rate: Double? {
        duration > .zero ? Double(generatedTokens) / (duration / .seconds(1)) : nil
    }

    var text: String {
        let firstTokens = Spread(turns.compactMap(\.timeToFirstToken).map { $0 / .milliseconds(1) })
        let lines = [
            "load: \(Figure.milliseconds(loadTime))",
            "turns: \(turns.count) in \(samples.count) conversations, \(workload.slots) at the same time",
            "generated tokens: \(generatedTokens) in \(Figure.seconds(duration))",
            "together: \(rate.map(Figure.rate) ?? "not measurable")",
            "time to first token: "
                + (firstTokens.map {
                    String(format: "%.1f ms (median, %.1f–%.1f)", $0.median, $0.least, $0.most)
                } ?? "not measurable"),
            "peak memory: \(peakMemory.map(Figure.mebibytes) ?? "unknown")",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    var json: LLMJSONValue {
        [
            "contextSize": .int(Int64(contextSize)),
            "threads": threads.map { .int(Int64($0)) } ?? .null,
            "slots": .int(Int64(workload.slots)),
            "loadMilliseconds": .double(loadTime / .milliseconds(1)),
            "milliseconds": .double(duration / .milliseconds(1)),
            "generatedTokens": .int(Int64(generatedTokens)),
            "tokensPerSecond": rate.map { .double($0) } ?? .null,
            "peakMemoryBytes": peakMemory.map { .int(Int64($0)) } ?? .null,
            "conversations": .array(samples.map { .array($0.map(\.json)) }),
        ]
    }
}
