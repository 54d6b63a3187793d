/// What stands before the body of a message that says whom it is for: the role and ` to=` with the recipient.
struct AddressedHeader: Sendable {
    /// Whom a message may be for.
    enum Recipient: Sendable, Hashable {
        /// The model itself: the message is thinking.
        case model
        case reader
        case tool(String)
    }

    private static let model = "self"
    private static let readers = ["user", "assistant", "all"]

    /// The header as written, with the marker it began with.
    private(set) var raw: String
    /// Whether a marker, or the prompt, says that this is a header.
    let isCertain: Bool
    /// What follows the last word that was understood: the body, where its marker is missing.
    private(set) var remainder = ""
    private(set) var recipient: Recipient?
    /// The last recipient as written.
    private var name = ""
    private var text = ""

    /// Begins a header behind a marker; without one it may turn out to be text.
    init(after marker: AddressedMarker? = nil) {
        raw = marker?.text ?? ""
        isCertain = marker != nil
    }

    /// The phase of a message with this header.
    var phase: LLMStreamContentPhase { recipient == .model ? .thinking : .final }

    /// The tool that the message is for.
    var tool: String? { if case .tool(let name) = recipient { name } else { nil } }

    /// The tool of a header that was cut off, unless its name may become one that is no tool's.
    var cutOffTool: String? {
        let names = Self.readers + [Self.model]
        return names.contains { $0.hasPrefix(name) } ? nil : tool
    }

    /// Adds text.
    mutating func read(_ more: String) {
        raw += more
        text += more
    }

    /// Finds out what the text says, behind all of which this marker comes.
    mutating func close(with marker: AddressedMarker? = nil) {
        raw += marker?.text ?? ""
        var end = text.startIndex
        for (index, word) in text.split(whereSeparator: \.isWhitespace).enumerated() {
            if word.hasPrefix("to=") {
                // The body's marker may be cut off.
                name = String(word.dropFirst(3).prefix { $0 != "<" })
                recipient = Self.recipient(named: name)
            } else if index > 0 || !isCertain {
                continue
            }
            end = word.endIndex
        }
        remainder = text[end...].trimmingWhiteSpace()
    }

    /// Whether a name is one that is no tool's.
    static func isKnown(_ name: String) -> Bool { name == model || readers.contains(name) }

    private static func recipient(named name: String) -> Recipient? {
        if name == model { return .model }
        return name.isEmpty ? nil : readers.contains(name) ? .reader : .tool(name)
    }
}
