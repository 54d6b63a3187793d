/// A message that a model addresses to a tool, in the Harmony format or another one with headers.
package struct HarmonyMessage: Sendable, Hashable {
    /// Whom the message is for, as it stands in the header: `functions.search`.
    package var recipient: String
    /// What is sent, usually a JSON object; not checked.
    package var body: String
    /// Whether an end marker, or the next message, followed.
    ///
    /// Engines take `<|call|>` for the end of the turn and do not show it, so a body that is whole counts all the
    /// same. With an empty body the output ended within the header.
    package var isComplete: Bool
    /// The phase of the message's channel: thinking for `analysis`, else the answer.
    package var phase: LLMStreamContentPhase
    /// The message as the model wrote it, with header and markers.
    package var raw: String
    /// What shows of it where nothing takes such messages.
    package var text: String

    /// Creates a message.
    package init(
        recipient: String, body: String, isComplete: Bool, phase: LLMStreamContentPhase, raw: String = "",
        text: String? = nil
    ) {
        self.recipient = recipient
        self.body = body
        self.isComplete = isComplete
        self.phase = phase
        self.raw = raw
        self.text = text ?? raw
    }
}
