extension OutputSanitizationProfile {
    /// The profile of a generation: the analysis of the template, its text, and the request's markers.
    ///
    /// Pairs come from the analysis where it gives any, else from the template's text; all else comes from the text.
    /// The request's markers are merged after them.
    ///
    /// - Parameters:
    ///   - thinkingStart: The opener that the template analysis found; nil or blank when the prompt opens thinking.
    ///   - thinkingEnds: The texts that the analysis takes for the end of thinking, the usual one first.
    ///   - template: The template's text.
    ///   - configuration: The request's markers.
    package init(
        thinkingStart: String?, thinkingEnds: [String], template: String?,
        configuration: LLMStreamPhaseConfiguration = .automatic
    ) {
        self.init(
            thinkingStart: thinkingStart, thinkingEnds: thinkingEnds,
            derived: Self.derived(fromChatTemplate: template), configuration: configuration)
    }

    /// The same with what the template's text says already found out, which takes milliseconds.
    package init(
        thinkingStart: String?, thinkingEnds: [String], derived: OutputSanitizationProfile,
        configuration: LLMStreamPhaseConfiguration
    ) {
        var profile = derived
        let pairs = Self.pairs(
            start: thinkingStart ?? "", ends: thinkingEnds, finalMarkers: profile.allFinalMarkers)
        if !pairs.isEmpty { profile.thinkingPairs = pairs }
        self = profile.merging(configuration)
    }

    /// The pairs of an analysis: white space aside, each once, and only with ends that do end thinking.
    private static func pairs(start: String, ends: [String], finalMarkers: [String]) -> [OutputDelimiterPair] {
        let open = start.trimmingWhiteSpace()
        let closers = ends.map { $0.trimmingWhiteSpace() }.filter { !$0.isEmpty }.uniqued { Array($0.utf8) }
        guard let first = closers.first else { return [] }
        let names = words(of: open).union(words(of: first))
        return closers.enumerated().compactMap { index, close in
            // A role header before it is no opener: all output up to a final marker is thinking.
            if finalMarkers.contains(close) { return nil }
            // Further ends with names of their own open tool calls, and a call within thinking is part of it.
            guard index == 0 || !words(of: close).isDisjoint(with: names) else { return nil }
            return OutputDelimiterPair(open: open, close: close)
        }
    }

    /// The words of a marker, such as `think`, without those that only say start or end.
    private static func words(of marker: String) -> Set<String> {
        Set(marker.lowercased().split { !$0.isLetter }.map(String.init))
            .subtracting(["start", "begin", "open", "end", "close", "sep"])
    }
}
