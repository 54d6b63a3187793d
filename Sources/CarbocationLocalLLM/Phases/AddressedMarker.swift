/// A control token around messages that say whom they are for.
enum AddressedMarker: Sendable, Hashable {
    case start
    case message
    case endOfMessage
    case endOfTurn
    /// A control token that means nothing to the phases.
    case control(String)

    /// The marker as the model writes it.
    var text: String {
        switch self {
        case .start: "<|start|>"
        case .message: "<|message|>"
        case .endOfMessage: "<|eom|>"
        case .endOfTurn: "<|eot|>"
        case .control(let token): token
        }
    }

    /// Whether the marker means nothing within a body.
    var isStrayInBody: Bool { !isEnd && self != .start }

    /// Whether the marker ends a message.
    var isEnd: Bool { self == .endOfMessage || self == .endOfTurn }

    /// The markers that count within a header: all of them.
    static func inHeader(tokens: Set<String>, controlTokens: Set<String>) -> MarkerSet<AddressedMarker> {
        MarkerSet(
            ([.start, .message, .endOfMessage] + endOfTurn(tokens)).map { $0.entry(tokens) } + entries(controlTokens))
    }

    /// The markers that count within a body: ends, the start of another message, and tokens that mean nothing there.
    ///
    /// Where it is not announced as a token, a start needs the role in its header, because bodies may quote it.
    static func inBody(tokens: Set<String>, controlTokens: Set<String>) -> MarkerSet<AddressedMarker> {
        let ends = ([.endOfMessage] + endOfTurn(tokens)).map { $0.entry(tokens) }
        var start = Self.start.entry(tokens)
        if start.token == nil { start.text += "assistant" }
        let stray = [Self.message.entry(tokens)].filter { $0.token != nil }
        return MarkerSet(ends + [start] + stray + entries(controlTokens))
    }

    /// Where markers are tokens, the one of the turn's end ends the output before anything reads it.
    private static func endOfTurn(_ tokens: Set<String>) -> [AddressedMarker] { tokens.isEmpty ? [.endOfTurn] : [] }

    /// Of equal markers the first counts, so that these come last.
    private static func entries(
        _ controlTokens: Set<String>
    ) -> [(text: String, token: String?, meaning: AddressedMarker)] {
        controlTokens.sorted().map { ($0, $0, .control($0)) }
    }

    private func entry(_ tokens: Set<String>) -> (text: String, token: String?, meaning: AddressedMarker) {
        (text, tokens.contains(text) ? text : nil, self)
    }
}
