/// A step that was computed, all of it for decoding jobs.
struct MeasuredStep: Sendable {
    /// Jobs in it.
    var sequences: Int
    /// Drafted tokens in it.
    var drafted: Int
    /// Tokens that came of it.
    var generated: Int
    /// Seconds to compute it and to sample.
    var seconds: Double
    /// Seconds to draft.
    var draftSeconds: Double
}
