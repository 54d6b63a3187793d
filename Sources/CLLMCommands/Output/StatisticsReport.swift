import CarbocationLlamaRuntime
import CarbocationLocalLLM

/// The lines of `--stats`.
struct StatisticsReport {
    let loadTime: Duration
    /// What the load got.
    var load: LlamaLoadReport?
    let meter: GenerationMeter
    /// The numbers of threads that the engine chose itself at last.
    var threads: ThreadChoice?
    /// Why not more of the prompt was cached.
    var promptReuse: String?

    var text: String {
        var lines = ["load: \(Figure.milliseconds(loadTime))"]
        func add(_ name: String, _ figure: String?) {
            if let figure { lines.append("\(name): \(figure)") }
        }
        add("batch", load.map(Self.batch))
        add("servers", load.flatMap { $0.servers.isEmpty ? nil : $0.servers.joined(separator: ", ") })
        add("prompt tokens", meter.promptTokens.map(String.init))
        add("cached prompt tokens", meter.cachedPromptTokens.map(cached))
        add("generated tokens", meter.generatedTokens.map(String.init))
        add("time to first token", meter.timeToFirstToken.map(Figure.seconds))
        add("prefill", meter.prefillRate.map(Figure.rate))
        add("decode", meter.decodeRate.map(Figure.rate))
        add("threads", threads.map { "\($0.decode) decode, \($0.prefill) prefill (chosen by the engine)" })
        if let stats = meter.acceleration, stats.draftTokensGenerated > 0 {
            add("drafted/accepted", "\(stats.draftTokensGenerated)/\(stats.draftTokensAccepted)")
        }
        add("stop reason", meter.stopReason?.rawValue)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func batch(_ load: LlamaLoadReport) -> String {
        let size = "\(load.batchSize) tokens"
        guard let first = load.refusals.first else { return size }
        return "\(size) (reduced from \(first.batchSize): \(first.reason))"
    }

    private func cached(_ count: Int) -> String {
        promptReuse.map { "\(count) (\($0))" } ?? String(count)
    }
}
