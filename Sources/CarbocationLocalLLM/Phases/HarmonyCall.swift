/// The body of a message to a tool, while it arrives.
///
/// Knows whether it is within a JSON string: what looks like a marker there is quoted.
struct HarmonyCall: Sendable {
    let header: HarmonyHeader
    let recipient: String
    /// Where the body begins.
    let start: Int
    /// The first marker that was taken for a quotation.
    private(set) var quotedMarker: MarkerScanner<HarmonyMarker>.Match?

    private var examined: Int
    private var isJSON: Bool?
    private(set) var isInsideString = false
    private var isEscaped = false

    init(header: HarmonyHeader, recipient: String, at position: Int) {
        self.header = header
        self.recipient = recipient
        start = position
        examined = position
    }

    /// Reads the body on up to `position`.
    mutating func read(from scanner: MarkerScanner<HarmonyMarker>, upTo position: Int) {
        guard examined < position else { return }
        for byte in scanner.bytes(in: examined..<position) { read(byte) }
        examined = position
    }

    /// Takes a marker for part of the body.
    mutating func quote(_ marker: MarkerScanner<HarmonyMarker>.Match) {
        quotedMarker = quotedMarker ?? marker
    }

    private mutating func read(_ byte: UInt8) {
        guard let isJSON else {
            if byte > 0x20 { isJSON = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
            return
        }
        guard isJSON else { return }
        if isEscaped {
            isEscaped = false
        } else if isInsideString, byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInsideString.toggle()
        }
    }

    /// The message with a body and the marker that ended it, if one did.
    func message(body: String, end: String?) -> HarmonyMessage {
        HarmonyMessage(
            recipient: recipient, body: body, isComplete: end != nil, phase: header.phase,
            raw: header.raw + body + (end ?? ""))
    }
}
