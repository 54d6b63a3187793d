import CarbocationLocalLLM

typealias Options = CarbocationLocalLLM.GenerationOptions

/// What a generation told, a line for each event.
struct EventLog {
    private(set) var lines: [String] = []
    private(set) var result: LLMGenerationResult?
    private(set) var error: (any Error)?
    /// What folding the contents gives.
    private(set) var folded = ""
    private(set) var rawText = ""

    /// Runs a stream to its end.
    static func of(
        _ stream: LLMGenerationStream, onEvent: (LLMGenerationStreamEvent) -> Void = { _ in }
    ) async -> EventLog {
        var log = EventLog()
        do {
            for try await event in stream {
                log.take(event)
                onEvent(event)
            }
        } catch {
            log.error = error
        }
        return log
    }

    var diagnostics: [String] { lines.filter { $0.hasPrefix("diagnostic ") } }

    private mutating func take(_ event: LLMGenerationStreamEvent) {
        switch event {
        case .requestSent(let phase): lines.append("sent \(phase.rawValue)")
        case .firstByteReceived(_, let phase): lines.append("first \(phase.rawValue)")
        case .phaseChanged(let old, let new): lines.append("\(old.rawValue) to \(new.rawValue)")
        case .tokenChunk(let preview, let bytes, _):
            rawText += preview
            lines.append("chunk \(preview) \(bytes)")
        case .contentDelta(let phase, let text, let bytes):
            folded += text
            lines.append("\(phase.rawValue) \(text) \(bytes)")
        case .contentSnapshot(_, let text, let bytes, let reason):
            folded = text
            lines.append("\(reason.rawValue) \(text) \(bytes)")
        case .generationStats(let prompt, let generated, let reason, let mode, _):
            lines.append("stats \(prompt) \(generated) \(reason.rawValue) \(mode.rawValue)")
        case .tokenLogprobs, .accelerationStats: lines.append("unexpected")
        case .diagnostic(let message): lines.append("diagnostic \(message)")
        case .done(let bytes, _, _): lines.append("done \(bytes)")
        case .completed(let completed):
            result = completed
            lines.append("completed")
        }
    }
}

extension LLMEngine {
    /// What a prompt is answered.
    func log(_ prompt: String, system: String = "", _ options: Options = Options()) async -> EventLog {
        await EventLog.of(stream(LLMGenerationRequest(system: system, prompt: prompt, options: options)))
    }
}
