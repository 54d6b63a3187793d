package import CarbocationLlamaRuntime
package import CarbocationLocalLLM

/// A rendered conversation and what the engine knows about reading the reply.
package struct PromptReport: Sendable, Hashable {
    package var prompt: String
    package var segments: [PromptSegment]
    package var formatter: String
    package var thinkingStart: String?
    package var thinkingEnds: [String]
    package var grammar: String
    package var grammarLazy: Bool
    package var triggers: [LLMJSONValue]
    package var stops: [String]
    package var startsInThinking: Bool
    /// How the template writes tool calls, if that was found out.
    package var toolMarkers: ToolMarkers?

    package init(_ rendered: RenderedPrompt) {
        prompt = rendered.text
        segments = rendered.segments
        formatter = rendered.format.formatter
        thinkingStart = rendered.format.thinkingStart
        thinkingEnds = rendered.format.thinkingEnds
        grammar = rendered.format.grammar
        grammarLazy = rendered.format.grammarLazy
        triggers = rendered.format.triggers.map { ["type": .string($0.type), "value": .string($0.value)] }
        stops = rendered.format.stops
        startsInThinking = rendered.format.startsInThinking
        toolMarkers = rendered.format.toolMarkers
    }

    package init(
        prompt: String, segments: [PromptSegment], formatter: String, thinkingStart: String? = nil,
        thinkingEnds: [String] = [], grammar: String = "", grammarLazy: Bool = false,
        triggers: [LLMJSONValue] = [], stops: [String] = [], startsInThinking: Bool = false
    ) {
        self.prompt = prompt
        self.segments = segments
        self.formatter = formatter
        self.thinkingStart = thinkingStart
        self.thinkingEnds = thinkingEnds
        self.grammar = grammar
        self.grammarLazy = grammarLazy
        self.triggers = triggers
        self.stops = stops
        self.startsInThinking = startsInThinking
    }

    var json: LLMJSONValue {
        [
            "prompt": .string(prompt),
            "segments": .array(segments.map { ["text": .string($0.text), "userInput": .bool($0.isInput)] }),
            "thinkingStart": thinkingStart.map { .string($0) } ?? .null,
            "thinkingEnds": .array(thinkingEnds.map { .string($0) }),
            "triggers": .array(triggers),
            "stops": .array(stops.map { .string($0) }),
            "startsInThinking": .bool(startsInThinking),
            "formatter": .string(formatter),
            "grammar": .string(grammar),
            "grammarLazy": .bool(grammarLazy),
        ]
    }
}
