import CarbocationLocalLLM

/// Recorded model output, read as in a generation.
struct ReplyTrace {
    private let result: LLMGenerationResult
    private let calls: [LLMToolCall]
    private let rejected: [RejectedToolCall]
    private let incompleteCall: String?
    private let events: [LLMJSONValue]

    /// - Parameters:
    ///   - bytes: The output.
    ///   - chunk: Bytes at a time; 0 for all at once.
    ///   - format: How to read it.
    ///   - endMarkers: Stops that stand for tokens which end the turn.
    init(of bytes: [UInt8], chunk: Int, format: ReplyFormat, endMarkers: Set<String>) {
        var reader = ReplyReader(format)
        var recorder = EventRecorder()
        var accumulator = GenerationAccumulator()
        var outputs: [ReplyOutput] = []
        func take(_ new: [ReplyOutput]) {
            outputs += new
            accumulator.append(new) { recorder.record($0) }
        }
        accumulator.begin { recorder.record($0) }
        var start = 0
        while start < bytes.count, reader.stopReason == nil {
            let end = chunk == 0 ? bytes.count : min(bytes.count, start + chunk)
            take(reader.push(Array(bytes[start..<end])))
            start = end
        }
        take(reader.finish())
        let isTurnEnd = reader.matchedStop.map(endMarkers.contains) ?? false
        let reason = isTurnEnd ? .complete : reader.stopReason ?? .complete
        accumulator.complete(GenerationAccumulator.Summary(stopReason: reason, promptTokens: 0, duration: 0)) {
            recorder.record($0)
        }
        result = recorder.result ?? LLMGenerationResult()
        events = recorder.events
        calls = outputs.compactMap { if case .call(let call) = $0 { call } else { nil } }
        rejected = outputs.compactMap { if case .rejected(let call) = $0 { call } else { nil } }
        incompleteCall = reader.incompleteCall
    }

    var json: LLMJSONValue {
        [
            "thinkingText": .string(result.thinkingText),
            "finalText": .string(result.finalText),
            "segments": .array(
                result.phaseSegments.map { ["phase": .string($0.phase.rawValue), "text": .string($0.text)] }),
            "toolCalls": .array(calls.map { .object(EventLine.fields(of: $0)) }),
            "incompleteToolCall": incompleteCall.map { .string($0) } ?? .null,
            "rejected": .array(
                rejected.map { ["code": .string($0.code.rawValue), "message": .string($0.message)] }),
            "stopReason": .string(result.stopReason.rawValue),
            "events": .array(events),
        ]
    }

    /// The answer, and a line for each call.
    var text: String {
        let lines =
            calls.map { "\($0.name) \($0.arguments.jsonString())" } + rejected.map { "\($0.code): \($0.message)" }
        return ([result.finalText] + lines).filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
    }
}

/// Keeps the events of a generation as JSON; deltas in a row become one, however the output was cut.
private struct EventRecorder {
    private(set) var events: [LLMJSONValue] = []
    private(set) var result: LLMGenerationResult?
    private var delta: (phase: LLMStreamContentPhase, text: String)?

    mutating func record(_ event: LLMGenerationStreamEvent) {
        if case .completed(let completed) = event { result = completed }
        if case .contentDelta(let phase, let text, _) = event {
            if delta?.phase != phase { flush() }
            delta = (phase, (delta?.text ?? "") + text)
            return
        }
        guard let object = EventLine.object(for: event) else { return }
        flush()
        events.append(object)
    }

    private mutating func flush() {
        guard let (phase, text) = delta.take() else { return }
        if let object = EventLine.object(for: .contentDelta(phase: phase, text: text, bytesSoFar: 0)) {
            events.append(object)
        }
    }
}
