import CarbocationLocalLLM

/// Writes every event as one line of JSON.
struct EventLinePresenter: AnswerPresenting {
    private let output: any ByteWriting

    init(output: any ByteWriting) {
        self.output = output
    }

    mutating func show(_ event: LLMGenerationStreamEvent) throws {
        if let object = EventLine.object(for: event) { try write(object) }
    }

    mutating func show(_ event: LLMToolGenerationStreamEvent) throws {
        if let object = EventLine.object(for: event) { try write(object) }
    }

    mutating func finish() throws {}

    mutating func fail(_ report: FailureReport) throws {
        try write(EventLine.error(report))
    }

    private func write(_ object: LLMJSONValue) throws {
        try output.write(object.jsonString(sortedKeys: true) + "\n")
    }
}
