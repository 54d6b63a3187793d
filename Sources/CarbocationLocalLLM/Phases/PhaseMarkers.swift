/// The markers of a profile by the place where they count.
struct PhaseMarkers: Sendable {
    /// What a marker means.
    enum Meaning: Sendable {
        case opener(OutputDelimiterPair)
        case closer
        case finalMarker
        /// No part of any phase's text.
        case scrubbed
        /// A control token that means nothing to the phases here.
        case control(String)
    }

    /// At the start of a segment.
    let opening: MarkerSet<Meaning>
    /// Within the answer.
    let final: MarkerSet<Meaning>
    let finalMarkers: [String]
    /// Whether some opener can begin thinking.
    let hasOpeners: Bool

    private let pairs: [OutputDelimiterPair]
    private let tokens: Set<String>
    private let controls: [(text: String, token: String?, meaning: Meaning)]
    private var thinkingSets: [OutputDelimiterPair?: MarkerSet<Meaning>] = [:]

    /// Finds the markers of a profile.
    ///
    /// - Parameters:
    ///   - profile: The profile.
    ///   - tokens: The markers that count only where their token was announced.
    ///   - controlTokens: Texts of control tokens, markers or not, that are announced too.
    init(profile: OutputSanitizationProfile, tokens: Set<String>, controlTokens: Set<String> = []) {
        pairs = profile.effectiveThinkingPairs
        finalMarkers = profile.allFinalMarkers
        self.tokens = tokens
        // Of equal markers the first counts, so that these come last.
        controls = controlTokens.sorted().map { ($0, $0, .control($0)) }
        let openPairs = pairs.filter { !$0.open.isBlank }
        hasOpeners = !openPairs.isEmpty
        // White space before a marker is skipped at the start of a segment, so a marker's own has to go as well.
        func entry(_ marker: String, _ meaning: Meaning) -> (String, String?, Meaning) {
            let text = String(String.UnicodeScalarView(marker.unicodeScalars.drop(while: \.properties.isWhitespace)))
            return (text, tokens.contains(text) ? text : tokens.contains(marker) ? marker : nil, meaning)
        }
        opening = MarkerSet(
            openPairs.map { entry($0.open, .opener($0)) } + finalMarkers.map { entry($0, .finalMarker) }
                + profile.roleHeaders.map { ($0, nil, .scrubbed) })
        final = MarkerSet(
            profile.scrubTokens.map { ($0, tokens.contains($0) ? $0 : nil, .scrubbed) }
                + profile.roleHeaders.map { ($0, nil, .scrubbed) } + controls)
    }

    /// The texts that end thinking opened by `pair`: its closer and those of pairs with the same opener.
    ///
    /// Any closer when nobody knows how thinking was opened.
    func closers(of pair: OutputDelimiterPair?) -> [String] {
        guard let pair else { return pairs.map(\.close) }
        return [pair.close] + pairs.filter { $0.open == pair.open }.map(\.close)
    }

    /// The markers that count within thinking opened by `pair`.
    mutating func thinking(openedBy pair: OutputDelimiterPair?) -> MarkerSet<Meaning> {
        if let set = thinkingSets[pair] { return set }
        func token(_ marker: String) -> String? { tokens.contains(marker) ? marker : nil }
        // A closer that is a final marker too begins the answer.
        let set = MarkerSet(
            finalMarkers.map { ($0, token($0), Meaning.finalMarker) }
                + closers(of: pair).map { ($0, token($0), .closer) } + controls)
        thinkingSets[pair] = set
        return set
    }
}
