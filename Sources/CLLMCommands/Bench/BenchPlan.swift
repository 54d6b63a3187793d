/// What to measure.
struct BenchPlan: Sendable, Hashable {
    /// Each prompt has at least this many tokens, the template's included.
    let promptTokens: Int
    let generateTokens: Int
    let repetitions: Int

    /// A context that holds prompt and output, even if the last word of the prompt brings more tokens than one.
    var neededContext: Int { promptTokens + generateTokens + 256 }
}
