/// Why a text is no literal of its dialect.
struct LiteralProblem: Error {
    /// A phrase such as “a string without an end”.
    let reason: String
}
