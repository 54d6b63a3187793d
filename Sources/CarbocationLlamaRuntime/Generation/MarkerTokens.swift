import CarbocationLocalLLM

/// The markers of a reply that are one token of the vocabulary each.
struct MarkerTokens: Sendable {
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
        }
        visible = Set(texts.keys).union(preserved.compactMap { $0.isEmpty ? nil : model.specialToken($0) })
    }

    /// The markers themselves.
    var markers: Set<String> { Set(texts.values) }

    /// Whether the text of a token belongs to the output although it is a special one.
    func isVisible(_ token: Token) -> Bool { visible.contains(token) }

    /// The marker that a token is.
    subscript(token: Token) -> String? { texts[token] }
}
