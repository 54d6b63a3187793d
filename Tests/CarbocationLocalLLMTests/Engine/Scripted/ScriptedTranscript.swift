import CarbocationLocalLLM
import TestSupport
import Testing

/// What a reader of one generation saw.
struct ScriptedTranscript: Sendable {
    var events: [LLMGenerationStreamEvent] = []
    var error: (any Error)?

    /// Reads a generation to its end.
    init(of stream: LLMGenerationStream) async {
        do {
            for try await event in stream { events.append(event) }
        } catch {
            self.error = error
        }
    }

    /// The texts of the phases, folded from the content events.
    var folded: [LLMStreamContentPhase: String] {
        events.reduce(into: [:]) { texts, event in
            switch event {
            case .contentDelta(let phase, let text, _): texts[phase, default: ""] += text
            case .contentSnapshot(let phase, let text, _, _): texts[phase] = text
            default: break
            }
        }
    }

    /// The previews, joined.
    var rawText: String { previews.joined() }

    var previews: [String] {
        events.compactMap { event in
            if case .tokenChunk(let preview, _, _) = event { preview } else { nil }
        }
    }

    var diagnostics: [String] {
        events.compactMap { event in
            if case .diagnostic(let message) = event { message } else { nil }
        }
    }

    var result: LLMGenerationResult? {
        guard case .completed(let result) = events.last else { return nil }
        return result
    }

    /// The generated tokens and the stop reason of the statistics.
    var statistics: (tokens: Int, reason: LLMStopReason)? {
        for case .generationStats(_, let tokens, let reason, _, _) in events { return (tokens, reason) }
        return nil
    }
}

extension ScriptedLLMEngine {
    /// Generates once, with the prompt `abcd`, which is 2 tokens.
    nonisolated func transcript(
        _ options: GenerationOptions = GenerationOptions(), control: LLMGenerationControl? = nil
    ) async -> ScriptedTranscript {
        await ScriptedTranscript(of: stream(LLMGenerationRequest(prompt: "abcd", options: options, control: control)))
    }

    /// The result of one turn.
    static func result(
        of turn: [Step], _ options: GenerationOptions = GenerationOptions()
    ) async throws -> LLMGenerationResult {
        let engine = ScriptedLLMEngine(script: [turn], clock: ManualClock())
        return try await engine.generatePhased(system: "", prompt: "abcd", options: options)
    }
}
