package import CarbocationLocalLLM

/// What a run with tools told, a line for each thing that happened.
package enum ToolRunLog {
    /// Runs once and writes down what happened, the texts of a reply joined and the result last.
    package static func of(
        _ request: LLMToolGenerationRequest, on engine: any LLMEngine, control: LLMGenerationControl? = nil,
        onEvent: (LLMToolGenerationStreamEvent) -> Void = { _ in }
    ) async -> [String] {
        var log = Lines()
        do {
            for try await event in engine.streamWithTools(request, control: control) {
                onEvent(event)
                log.take(event)
            }
        } catch {
            log.add("error \(error)")
        }
        return log.finished()
    }

    private struct Lines {
        private var lines: [String] = []
        private var texts: [(phase: LLMStreamContentPhase, text: String)] = []

        mutating func take(_ event: LLMToolGenerationStreamEvent) {
            switch event {
            case .generationEvent(.contentDelta(let phase, let text, _)):
                if texts.last?.phase == phase {
                    texts[texts.count - 1].text += text
                } else {
                    texts.append((phase, text))
                }
            case .generationEvent: break
            case .toolRoundStarted(let round): add("round \(round)")
            case .toolCallStarted(let call): add("start \(call.id) \(call.name) \(call.arguments.jsonString())")
            case .toolCallCompleted(let output): add("done \(output.callID) \(output.content.jsonString())")
            case .toolCallFailed(let output): add("fail \(output.callID) \(code(output))")
            case .aggregateGenerationStats(_, _, let reason): add("stopped \(reason.rawValue)")
            case .aggregateAccelerationStats: break
            case .completed(let result): add(summary(result))
            }
        }

        mutating func add(_ line: String) {
            lines += texts.map { "\($0.phase.rawValue): \($0.text)" }
            texts = []
            lines.append(line)
        }

        mutating func finished() -> [String] {
            let all = lines + texts.map { "\($0.phase.rawValue): \($0.text)" }
            (lines, texts) = ([], [])
            return all
        }

        private func code(_ output: LLMToolOutput) -> String {
            output.content.value(forKey: "error")?.string(forKey: "code") ?? output.content.jsonString()
        }

        private func summary(_ result: LLMToolPhasedGenerationResult) -> String {
            "result “\(result.finalText)” rounds \(result.roundsCompleted) calls \(result.toolCalls.map(\.id)) "
                + "outputs \(result.toolOutputs.map(\.callID)) \(result.stopReason.rawValue)"
        }
    }
}
