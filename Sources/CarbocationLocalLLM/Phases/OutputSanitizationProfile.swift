/// The markers with which a model structures its output, and the tokens that are no part of it.
public struct OutputSanitizationProfile: Sendable, Hashable {
    /// Markers around thinking; a pair with an empty `open` is opened by the prompt, one with an empty `close` is
    /// ignored.
    public var thinkingPairs: [OutputDelimiterPair]
    /// The final marker after which complete text is cut off; nil when there is none.
    public var sliceAfterMarker: String?
    /// Texts that end a turn, in addition to a request's own stop sequences.
    public var extraStopStrings: [String]
    /// Texts that are deleted from the answer.
    public var scrubTokens: [String]
    /// Markers after which the answer begins; blank ones are ignored.
    public var finalMarkers: [String]

    /// Creates a profile; by default it knows no markers.
    public init(
        thinkingPairs: [OutputDelimiterPair] = [],
        sliceAfterMarker: String? = nil,
        extraStopStrings: [String] = [],
        scrubTokens: [String] = [],
        finalMarkers: [String] = []
    ) {
        self.thinkingPairs = thinkingPairs
        self.sliceAfterMarker = sliceAfterMarker
        self.extraStopStrings = extraStopStrings
        self.scrubTokens = scrubTokens
        self.finalMarkers = finalMarkers
    }

    /// A profile without markers: all output is the answer.
    public static var empty: OutputSanitizationProfile { OutputSanitizationProfile() }

    /// The final markers and the slice marker, each once and without blank ones.
    public var allFinalMarkers: [String] {
        (finalMarkers + [sliceAfterMarker].compactMap { $0 })
            .filter { !$0.isBlank }
            .uniqued { Array($0.utf8) }
    }

    /// The profile with the markers of a request after its own, each once.
    ///
    /// Pairs without `close` and blank final markers are left out, on both sides.
    ///
    /// - Parameter configuration: The request's markers; its start phase has no part in a profile.
    /// - Returns: The merged profile.
    public func merging(_ configuration: LLMStreamPhaseConfiguration) -> OutputSanitizationProfile {
        var merged = self
        merged.thinkingPairs = (effectiveThinkingPairs + configuration.effectiveThinkingPairs)
            .uniqued { [Array($0.open.utf8), Array($0.close.utf8)] }
        merged.finalMarkers = (finalMarkers + configuration.effectiveFinalMarkers)
            .filter { !$0.isBlank }
            .uniqued { Array($0.utf8) }
        return merged
    }

    /// The pairs that can close.
    package var effectiveThinkingPairs: [OutputDelimiterPair] {
        thinkingPairs.filter { !$0.close.isEmpty }
    }

    /// Every marker that a ``PhaseSplitter`` with this profile looks for, each once.
    package var markers: [String] {
        let ends = effectiveThinkingPairs.flatMap { [$0.open, $0.close] }
        return (ends + allFinalMarkers + scrubTokens).filter { !$0.isEmpty }.uniqued { Array($0.utf8) }
    }
}

extension OutputSanitizationProfile: Codable {
    private enum CodingKeys: String, CodingKey {
        case thinkingPairs, sliceAfterMarker, extraStopStrings, scrubTokens, finalMarkers
    }

    /// Decodes a profile; missing fields take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            thinkingPairs: try container.decode(forKey: .thinkingPairs, default: []),
            sliceAfterMarker: try container.decodeIfPresent(String.self, forKey: .sliceAfterMarker),
            extraStopStrings: try container.decode(forKey: .extraStopStrings, default: []),
            scrubTokens: try container.decode(forKey: .scrubTokens, default: []),
            finalMarkers: try container.decode(forKey: .finalMarkers, default: [])
        )
    }
}

extension Sequence {
    /// The elements without those whose key has occurred before.
    ///
    /// Markers are told apart by their bytes, as they are matched, and not by Unicode equivalence.
    func uniqued(by key: (Element) -> some Hashable) -> [Element] {
        var seen: Set<AnyHashable> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
