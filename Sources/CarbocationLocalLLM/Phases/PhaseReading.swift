/// A reader that tells the phases of raw model output apart as it arrives.
package protocol PhaseReading: Sendable {
    /// The phase that the output is in.
    var phase: LLMStreamContentPhase { get }
    /// The markers that the output may go on with; stops equal to them are no stops now.
    var awaitedMarkers: [String] { get }

    /// The raw text that was pushed last and is not given out yet.
    var heldText: String { get }
    /// Where the body of the message to a tool begins that the output is in; nil outside of such messages.
    var openMessagePlace: Int? { get }
    /// That message, as far as it has come; takes time in proportion to its length.
    var openMessage: OpenCall? { get }

    /// Says that a marker which is one vocabulary token was sampled, before its text is pushed.
    ///
    /// `offset` is where it begins, within three bytes, in UTF-8 bytes of the whole raw text: what was pushed so far and
    /// what is still to come before it.
    mutating func announce(marker: String, at offset: Int)
    /// Adds raw text and returns what is now certain.
    mutating func push(_ raw: String) -> [PhaseOutput]
    /// Ends the output and returns what was held.
    mutating func finish() -> [PhaseOutput]
}

extension PhaseReading {
    /// Most formats have no such messages.
    package var openMessagePlace: Int? { nil }
    package var openMessage: OpenCall? { nil }
}
