/// The phase in which output begins.
package enum StartPhase: Sendable, Hashable {
    /// The output itself shows it.
    case unknown
    /// The answer; `followsMarker` says that the prompt ends with a marker, white space aside.
    case final(followsMarker: Bool)
    /// Thinking that the prompt has opened with this pair; nil when the request says so and no opener is known.
    case thinking(OutputDelimiterPair?)

    /// The phase before any output.
    package var phase: LLMStreamContentPhase {
        switch self {
        case .unknown: .unknown
        case .final: .final
        case .thinking: .thinking
        }
    }

    /// Finds the start phase from what the prompt ends with.
    ///
    /// - Parameters:
    ///   - promptTail: The template's own text at the end of the prompt, without anything that a user, a model or a
    ///     tool wrote: markers in there are data.
    ///   - profile: The markers of the generation.
    ///   - startsInThinking: What the request says; it outweighs the prompt.
    package init(promptTail: String, profile: OutputSanitizationProfile, startsInThinking: Bool?) {
        let pairs = profile.effectiveThinkingPairs
        let tail = promptTail.trimmingWhiteSpace()
        let implicitPair = pairs.first { $0.open.isBlank }
        let openPair = pairs.filter { !$0.open.isBlank && tail.utf8Ends(with: $0.open.trimmingWhiteSpace()) }
            .max { $0.open.utf8.count < $1.open.utf8.count }
        let ends = pairs.map(\.close) + profile.allFinalMarkers
        let followsMarker = ends.contains { !$0.isBlank && tail.utf8Ends(with: $0.trimmingWhiteSpace()) }
        switch startsInThinking {
        case true?:
            self = .thinking(openPair ?? implicitPair)
        case false?:
            self = .final(followsMarker: followsMarker || openPair != nil)
        case nil:
            if let openPair {
                self = .thinking(openPair)
            } else if followsMarker {
                self = .final(followsMarker: true)
            } else if let implicitPair {
                self = .thinking(implicitPair)
            } else {
                self = ends.isEmpty ? .final(followsMarker: false) : .unknown
            }
        }
    }
}

extension String {
    /// Whether the text ends with the bytes of `suffix`.
    fileprivate func utf8Ends(with suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}
