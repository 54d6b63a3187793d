/// What stands before the body of a Harmony message: role, channel, recipient, and words that mean nothing here.
///
/// The recipient may come before or after the channel; where a part is repeated, the last one counts.
struct HarmonyHeader: Sendable {
    private(set) var channel: HarmonyChannel?
    private(set) var recipient: String?
    /// The header as written.
    private(set) var raw = ""
    /// What follows the last word that was understood: the body, where its marker is missing.
    private(set) var remainder = ""
    /// The last marker; nil before the first one.
    private(set) var marker: HarmonyMarker?

    /// Recipients that are no tools.
    private static let readers: Set<String> = ["assistant", "user", "all"]

    /// The phase of a message with this header.
    var phase: LLMStreamContentPhase { channel?.phase ?? .final }

    /// Adds the text up to the next marker.
    mutating func read(_ text: String) {
        raw += text
        var foundChannel = false
        var end = text.startIndex
        let words = text.split { $0.isWhitespace }
        for (index, word) in words.enumerated() {
            if word.hasPrefix("to=") {
                let name = String(word.dropFirst(3))
                recipient = name.isEmpty || Self.readers.contains(name) ? nil : name
            } else if marker == .constrain || (marker == .start && index == 0) {
                guard index == 0 else { continue }
            } else if !foundChannel, let named = HarmonyChannel(rawValue: String(word)) {
                channel = named
                foundChannel = true
            } else {
                continue
            }
            end = word.endIndex
        }
        remainder = text[end...].trimmingWhiteSpace()
    }

    /// Adds a marker.
    mutating func read(_ marker: HarmonyMarker) {
        raw += marker.rawValue
        remainder = ""
        self.marker = marker
    }
}
