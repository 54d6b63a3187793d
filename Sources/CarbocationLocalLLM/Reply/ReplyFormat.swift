/// How the raw output of one generation is to be read.
package struct ReplyFormat: Sendable {
    /// What the answer is looked at for.
    package enum Answer: Sendable {
        /// Plain text.
        case text
        /// A JSON value, with which the output ends.
        case balancedJSON
        /// What a grammar or schema describes.
        case structured(StructuredOutputGate.Constraint)
        /// Text and calls of these tools, which get their ids from the allocator.
        case tools(ToolCallSyntax, [LLMToolDefinition], LLMToolCallIDAllocator = LLMToolCallIDAllocator())
    }

    /// How phases are told apart.
    package enum Phases: Sendable {
        case markers(OutputSanitizationProfile, StartPhase)
        case harmony(promptTail: String, startsInThinking: Bool?)
        /// Each message says in its header whom it is for.
        case addressed(promptTail: String, startsInThinking: Bool?)
    }

    /// Texts that end the output.
    package var stops: [String]
    package var phases: Phases
    package var answer: Answer
    /// The markers that are one vocabulary token and are announced as such.
    package var tokenMarkers: Set<String>
    /// The texts of announced tokens that show nowhere, because they are control tokens.
    package var controlTokens: Set<String>

    package init(
        stops: [String] = [], phases: Phases = .markers(.empty, .final(followsMarker: false)),
        answer: Answer = .text, tokenMarkers: Set<String> = [], controlTokens: Set<String> = []
    ) {
        self.stops = stops
        self.phases = phases
        self.answer = answer
        self.tokenMarkers = tokenMarkers
        self.controlTokens = controlTokens
    }

    /// Every marker of the phases.
    package var markers: [String] {
        switch phases {
        case .markers(let profile, _): profile.markers
        case .harmony: HarmonyReader.markers
        case .addressed: AddressedReader.markers
        }
    }

    func makeReader() -> any PhaseReading {
        switch phases {
        case .markers(let profile, let start):
            PhaseSplitter(
                profile: profile, start: start, tokenMarkers: tokenMarkers, controlTokens: controlTokens)
        case .harmony(let promptTail, let startsInThinking):
            HarmonyReader(promptTail: promptTail, startsInThinking: startsInThinking, tokenMarkers: tokenMarkers)
        case .addressed(let promptTail, let startsInThinking):
            AddressedReader(
                promptTail: promptTail, startsInThinking: startsInThinking, tokenMarkers: tokenMarkers,
                controlTokens: controlTokens)
        }
    }
}
