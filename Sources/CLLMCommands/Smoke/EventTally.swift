import CarbocationLocalLLM

/// Counts events by their kind, in the order in which the kinds first came.
struct EventTally {
    private var counts: [(name: String, count: Int)] = []

    mutating func count(_ event: LLMGenerationStreamEvent) {
        let name = Self.name(of: event)
        if let index = counts.firstIndex(where: { $0.name == name }) {
            counts[index].count += 1
        } else {
            counts.append((name, 1))
        }
    }

    /// Such as `requestSent, contentDelta ×12, done`.
    var text: String {
        counts.map { $0.count == 1 ? $0.name : "\($0.name) ×\($0.count)" }.joined(separator: ", ")
    }

    private static func name(of event: LLMGenerationStreamEvent) -> String {
        switch event {
        case .requestSent: "requestSent"
        case .firstByteReceived: "firstByteReceived"
        case .phaseChanged: "phaseChanged"
        case .tokenChunk: "tokenChunk"
        case .contentDelta: "contentDelta"
        case .contentSnapshot: "contentSnapshot"
        case .generationStats: "generationStats"
        case .tokenLogprobs: "tokenLogprobs"
        case .accelerationStats: "accelerationStats"
        case .diagnostic: "diagnostic"
        case .done: "done"
        case .completed: "completed"
        }
    }
}
