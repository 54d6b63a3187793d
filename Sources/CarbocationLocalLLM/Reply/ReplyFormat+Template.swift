/// What the text of a chat template says about the output.
///
/// Takes milliseconds to find out, so it is kept with the template.
package struct TemplateReplyMarkers: Sendable {
    fileprivate let profile: OutputSanitizationProfile
    fileprivate let isHarmony: Bool
    fileprivate let isAddressed: Bool

    package init(template: String?) {
        profile = OutputSanitizationProfile.derived(fromChatTemplate: template)
        isHarmony = template.map(HarmonyReader.matches) ?? false
        isAddressed = template.map(AddressedReader.matches) ?? false
    }
}

extension ReplyFormat.Phases {
    /// How the phases of the reply to a prompt are told apart.
    ///
    /// - Parameters:
    ///   - promptTail: The template's own text at the end of the prompt; empty when a message ends it.
    ///   - thinkingStart: The opener that the template analysis found.
    ///   - thinkingEnds: The ends of thinking that it found, the usual one first.
    ///   - template: What the template's text says.
    ///   - configuration: The request's markers.
    package init(
        promptTail: String, thinkingStart: String?, thinkingEnds: [String], template: TemplateReplyMarkers,
        configuration: LLMStreamPhaseConfiguration
    ) {
        if template.isHarmony {
            self = .harmony(promptTail: promptTail, startsInThinking: configuration.startsInThinking)
            return
        }
        if template.isAddressed {
            self = .addressed(promptTail: promptTail, startsInThinking: configuration.startsInThinking)
            return
        }
        let profile = OutputSanitizationProfile(
            thinkingStart: thinkingStart, thinkingEnds: thinkingEnds, derived: template.profile,
            configuration: configuration)
        let start = StartPhase(
            promptTail: promptTail, profile: profile, startsInThinking: configuration.startsInThinking)
        self = .markers(profile, start)
    }

    /// The texts that end a turn, of those that the template analysis found and the template's text names.
    ///
    /// In output whose messages have headers the markers of messages are read as such.
    package func endMarkers(found stops: [String]) -> [String] {
        switch self {
        case .markers(let profile, _): stops + profile.extraStopStrings
        case .harmony: stops.filter { !HarmonyReader.markers.contains($0) }
        case .addressed:
            stops.filter { !AddressedReader.markers.contains($0) && $0 != AddressedReader.endOfTurn }
                + [AddressedReader.endOfTurn]
        }
    }

    /// The markers that begin or end a part of the reply, and are not only left out of it.
    package var structuringMarkers: [String] {
        guard case .markers(var profile, _) = self else { return ReplyFormat(phases: self).markers }
        profile.scrubTokens = []
        return profile.markers
    }
}
