/// What a body scanner knows after a byte, or at the end of the text.
///
/// Lengths are counted from the first byte that the scanner read.
enum CallVerdict: Sendable, Hashable {
    /// More bytes are needed.
    case open
    /// This is no call but text that only begins like one.
    case text
    /// These bytes are markup without content; plain text goes on behind them.
    case markup(length: Int)
    /// The call is complete: where its body is, and how many bytes belong to it with its closing marker.
    case complete(body: Range<Int>, length: Int)
    /// The text ends inside a call.
    case incomplete

    /// The same with the body beginning at the first byte, where that names the tool.
    var includingLead: CallVerdict {
        guard case .complete(let body, let length) = self else { return self }
        return .complete(body: 0..<body.upperBound, length: length)
    }

    /// The same for a scanner that read `offset` bytes before handing over.
    func shifted(by offset: Int) -> CallVerdict {
        switch self {
        case .complete(let body, let length):
            .complete(body: (body.lowerBound + offset)..<(body.upperBound + offset), length: length + offset)
        case .markup(let length): .markup(length: length + offset)
        case .open, .text, .incomplete: self
        }
    }
}
