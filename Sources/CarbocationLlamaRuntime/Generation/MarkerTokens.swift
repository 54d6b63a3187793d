import CarbocationLocalLLM

/// The markers of a reply that are one token of the vocabulary each.
struct MarkerTokens: Sendable {
    private var texts: [Token: String] = [:]

    init() {}

    /// Finds those of `markers` that the vocabulary has as one special token.
    init(_ markers: [String], model: NativeModel) {
        for marker in markers where !marker.isEmpty {
            guard let token = model.specialToken(marker) else { continue }
            texts[token] = marker
        }
    }

    /// The markers themselves.
    var markers: Set<String> { Set(texts.values) }

    /// The marker that a token is.
    subscript(token: Token) -> String? { texts[token] }
}
