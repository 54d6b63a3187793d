/// A control token of the Harmony format.
enum HarmonyMarker: String, CaseIterable, Sendable {
    case start = "<|start|>"
    case channel = "<|channel|>"
    case message = "<|message|>"
    case constrain = "<|constrain|>"
    case end = "<|end|>"
    case call = "<|call|>"
    case ret = "<|return|>"

    /// Whether the marker means nothing within a body.
    var isStrayInBody: Bool { self == .message || self == .constrain }

    /// Whether the marker ends a message.
    var isEnd: Bool { self == .end || self == .call || self == .ret }

    /// The markers that count within a header: all of them.
    static func inHeader(tokens: Set<String>) -> MarkerSet<HarmonyMarker> {
        MarkerSet(allCases.map { ($0.rawValue, $0.token(in: tokens), $0) })
    }

    /// The markers that count within a body: ends, the start of another message, and as tokens all others too.
    ///
    /// Where they are not announced as tokens, starts need a word of their header, because bodies may quote them.
    static func inBody(tokens: Set<String>) -> MarkerSet<HarmonyMarker> {
        let ends = allCases.filter(\.isEnd).map { ($0.rawValue, $0.token(in: tokens), $0) }
        let strays = [Self.message, .constrain].filter { tokens.contains($0.rawValue) }
            .map { ($0.rawValue, $0.token(in: tokens), $0) }
        let starts = [(Self.start, ["assistant"]), (.channel, HarmonyChannel.allCases.map(\.rawValue))]
        return MarkerSet(
            starts.reduce(into: ends + strays) { markers, start in
                let token = start.0.token(in: tokens)
                let words = token == nil ? start.1 : [""]
                markers += words.map { (start.0.rawValue + $0, token, start.0) }
            })
    }

    private func token(in tokens: Set<String>) -> String? {
        tokens.contains(rawValue) ? rawValue : nil
    }
}

/// What a message in the Harmony format is about.
enum HarmonyChannel: String, CaseIterable, Sendable {
    case analysis, commentary, final

    /// The phase that its messages belong to.
    var phase: LLMStreamContentPhase { self == .analysis ? .thinking : .final }
}
