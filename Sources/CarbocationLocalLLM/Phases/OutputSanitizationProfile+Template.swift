extension OutputSanitizationProfile {
    /// The pairs that model families put around thinking.
    static let knownThinkingPairs = [
        OutputDelimiterPair(open: "<think>", close: "</think>"),
        OutputDelimiterPair(open: "<|channel>thought", close: "<channel|>"),
        OutputDelimiterPair(open: "<|channel|>thought", close: "<|channel|>"),
        OutputDelimiterPair(open: "<|START_THINKING|>", close: "<|END_THINKING|>"),
        OutputDelimiterPair(open: "[THINK]", close: "[/THINK]"),
        OutputDelimiterPair(open: "<seed:think>", close: "</seed:think>"),
        OutputDelimiterPair(open: "<|inner_prefix|>", close: "<|inner_suffix|>"),
        OutputDelimiterPair(open: "<|think|>", close: "<|end|>"),
        OutputDelimiterPair(open: "<thinking>", close: "</thinking>"),
    ]

    static let harmonyFinalMarker = "<|channel|>final<|message|>"
    static let responseMarker = "[BEGIN FINAL RESPONSE]"
    static let contentMarker = "<|content|>"
    /// What Solar writes before a message of the assistant's.
    static let contentRoleHeader = "<|begin|>assistant"

    private static let knownScrubTokens = [
        "<|return|>", "<|end|>", "[END FINAL RESPONSE]", contentMarker, "<|START_RESPONSE|>", "<|END_RESPONSE|>",
        "<|START_TEXT|>", "<|END_TEXT|>",
    ]
    /// What models put around their answers, and the texts of templates that tell so.
    private static let answerWrappers = [
        (signs: ["<response></response>"], wrapper: ["<response>", "</response>"]),
        (
            signs: ["<|open|>", "<|sep|>", "<|close|>"],
            wrapper: ["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"]
        ),
    ]
    private static let knownStops = [
        "<turn|>", "<|turn>", "<|im_end|>", "<|im_start|>", "<end_of_turn>", "<start_of_turn>", "<|end_of_text|>",
    ]

    /// Every known marker, for text of which nothing is known.
    static var allKnown: OutputSanitizationProfile {
        OutputSanitizationProfile(
            thinkingPairs: knownThinkingPairs, sliceAfterMarker: harmonyFinalMarker, extraStopStrings: knownStops,
            scrubTokens: knownScrubTokens, finalMarkers: [harmonyFinalMarker, responseMarker, contentMarker])
    }

    /// What the text of a chat template shows of its model's markers, without rendering it.
    ///
    /// A pair counts when both of its ends occur. Takes time in proportion to the template's length.
    ///
    /// - Parameter template: The template's text; nil gives the empty profile.
    /// - Returns: The markers, scrub tokens and stops that occur, in a fixed order.
    public static func derived(fromChatTemplate template: String?) -> OutputSanitizationProfile {
        guard let template else { return .empty }
        let solarMarker = contentRoleHeader + "<|think|>"
        let pairEnds = knownThinkingPairs.flatMap { [$0.open, $0.close] }
        let known =
            pairEnds + knownScrubTokens + knownStops + [harmonyFinalMarker, responseMarker, contentMarker, solarMarker]
            + answerWrappers.flatMap(\.signs)
        let occurring = MarkerOccurrences(of: known, in: template)
        let pairs = knownThinkingPairs.filter { pair in
            // There the tag is an element of the prompt's prose, and the marker is what ends thinking.
            if pair.open == "<thinking>", occurring.contains(responseMarker) { return false }
            return occurring.contains(pair.open) && occurring.contains(pair.close)
        }
        var finalMarkers = [harmonyFinalMarker, responseMarker].filter(occurring.contains)
        // Elsewhere this token stands before messages of every role.
        if occurring.contains(solarMarker), occurring.contains(contentMarker) { finalMarkers.append(contentMarker) }
        return OutputSanitizationProfile(
            thinkingPairs: pairs,
            sliceAfterMarker: occurring.contains(harmonyFinalMarker) ? harmonyFinalMarker : nil,
            extraStopStrings: knownStops.filter(occurring.contains),
            scrubTokens: knownScrubTokens.filter(occurring.contains)
                + answerWrappers.filter { $0.signs.allSatisfy(occurring.contains) }.flatMap(\.wrapper),
            finalMarkers: finalMarkers)
    }

    /// The role headers that a model writes between its blocks; they belong to no phase.
    var roleHeaders: [String] {
        finalMarkers.contains(Self.contentMarker) ? [Self.contentRoleHeader] : []
    }
}
