/// Takes a model's complete output apart, where there was no stream to do it.
public enum LLMResponseSanitizer {
    /// The structured answer in a complete output: without thinking, markers and surrounding white space.
    ///
    /// First everything through the closer of each pair that the prompt has opened is dropped, then complete thinking
    /// blocks at the start, then everything through the last final marker, then scrub tokens and white space around
    /// the rest. Takes time in proportion to the text's length.
    ///
    /// - Parameters:
    ///   - text: The raw output.
    ///   - profile: The model's markers; an empty profile changes nothing, and nil stands for all known markers.
    ///   - continuingOpenThinkingPairs: Pairs that are open when the text begins; without `close` they are ignored.
    /// - Returns: The answer; empty when the text ends within an open pair.
    public static func unwrapStructuredOutput(
        _ text: String,
        using profile: OutputSanitizationProfile? = nil,
        continuingOpenThinkingPairs: [OutputDelimiterPair] = []
    ) -> String {
        let openPairs = continuingOpenThinkingPairs.filter { !$0.close.isEmpty }
        let profile = profile ?? .allKnown
        if profile == .empty, openPairs.isEmpty { return text }
        var scanner = MarkerScanner(markers: MarkerSet<OutputDelimiterPair?>([]))
        scanner.append(text)
        for pair in openPairs {
            scanner.look(for: markers([pair.close]))
            guard let closer = scanner.nextMarker() else { return "" }
            scanner.drop(upTo: closer.range.upperBound)
        }
        dropBlocks(of: profile, from: &scanner)
        dropThroughLast(of: profile.allFinalMarkers, from: &scanner)
        return takeAll(from: &scanner, without: profile.scrubTokens).trimmingWhiteSpace()
    }

    /// Drops the complete thinking blocks at the start, white space aside.
    ///
    /// A block that a final marker ends is left, because that marker begins the answer.
    private static func dropBlocks(
        of profile: OutputSanitizationProfile, from scanner: inout MarkerScanner<OutputDelimiterPair?>
    ) {
        let pairs = profile.effectiveThinkingPairs.filter { !$0.open.isBlank }
        let openers = MarkerSet<OutputDelimiterPair?>(pairs.map { ($0.open.trimmingWhiteSpace(), nil, $0) })
        let finalMarkers = profile.allFinalMarkers.map { ($0, String?.none, OutputDelimiterPair?.none) }
        let ends = Dictionary(grouping: pairs, by: \.open).mapValues { pairs in
            MarkerSet(finalMarkers + pairs.map { ($0.close, nil, $0) })
        }
        while true {
            scanner.look(for: openers, isAnchored: true)
            guard let opener = scanner.nextMarker(), let pair = opener.meaning, let ends = ends[pair.open] else {
                return
            }
            scanner.look(for: ends, from: opener.range.upperBound)
            guard let closer = scanner.nextMarker(), closer.meaning != nil else { return }
            scanner.drop(upTo: closer.range.upperBound)
        }
    }

    private static func dropThroughLast(
        of finalMarkers: [String], from scanner: inout MarkerScanner<OutputDelimiterPair?>
    ) {
        let markers = markers(finalMarkers)
        scanner.look(for: markers)
        while let marker = scanner.nextMarker() {
            scanner.drop(upTo: marker.range.upperBound)
            scanner.look(for: markers)
        }
    }

    private static func takeAll(
        from scanner: inout MarkerScanner<OutputDelimiterPair?>, without scrubTokens: [String]
    ) -> String {
        let markers = markers(scrubTokens)
        var result = ""
        scanner.look(for: markers)
        while let marker = scanner.nextMarker() {
            result += scanner.take(upTo: marker.range.lowerBound)
            scanner.drop(upTo: marker.range.upperBound)
            scanner.look(for: markers)
        }
        return result + scanner.take(upTo: scanner.end)
    }

    private static func markers(_ texts: [String]) -> MarkerSet<OutputDelimiterPair?> {
        MarkerSet(texts.map { ($0, nil, nil) })
    }
}

extension MarkerScanner {
    /// The first marker in text that is complete.
    fileprivate mutating func nextMarker() -> Match? {
        guard case .match(let match) = search(isLast: true) else { return nil }
        return match
    }
}
