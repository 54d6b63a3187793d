import CarbocationLocalLLM

/// The markers of a reply that are one token of the vocabulary each.
struct MarkerTokens: Sendable {
    /// The markers of phases.
    private(set) var markers: Set<String> = []
    /// The texts of control tokens, which only the readers of the reply see.
    private(set) var controls: Set<String> = []
    private var texts: [Token: String] = [:]
    private var visible: Set<Token> = []

    init() {}

    /// Finds those of some texts that the vocabulary has as one special token.
    ///
    /// - Parameters:
    ///   - markers: The markers of phases.
    ///   - preserved: Further texts that must be seen in the output, such as those around calls.
    ///   - model: Whose vocabulary counts.
    init(_ markers: [String], preserved: [String] = [], model: NativeModel) {
        for marker in markers where !marker.isEmpty {
            guard let token = model.specialToken(marker) else { continue }
            texts[token] = marker
            self.markers.insert(marker)
        }
        for text in markers + preserved where !text.isEmpty {
            guard let token = model.specialToken(text) else { continue }
            visible.insert(token)
            // Other special tokens are how a vocabulary writes a text, which may well be quoted.
            guard model.controlToken(text) != nil else { continue }
            texts[token] = text
            controls.insert(text)
        }
    }

    /// Whether the text of a token belongs to the output although it is a special one.
    func isVisible(_ token: Token) -> Bool { visible.contains(token) }

    /// The text to announce for a token.
    subscript(token: Token) -> String? { texts[token] }
}
