/// What of a cached sequence a new one with these tokens can build on.
///
/// A pure function of the tokens; whether the memory can keep just that much is another question.
struct PrefixPlan: Equatable, Sendable {
    /// Tokens that both begin with.
    let common: Int
    /// Cached tokens that stay; where computing goes on.
    ///
    /// At least one token is computed, because its logits are needed.
    let kept: Int
    /// Whether cached tokens behind `kept` have to go.
    let removesSuffix: Bool
    /// Whether all of the new tokens are cached.
    let sharesWholePrompt: Bool

    init(cached: some Collection<Token>, tokens: [Token]) {
        common = zip(cached, tokens).prefix { $0 == $1 }.count
        kept = max(0, min(common, tokens.count - 1))
        removesSuffix = kept < cached.count
        sharesWholePrompt = common == tokens.count
    }
}
