/// A context that tells what it expects next.
protocol DraftingContext: DecodingContext {
    /// The likeliest token behind batch entry `row` of the last decode; nil when there is none.
    func likeliest(row: Int) -> (token: Token, probability: Double)?

    /// Whether nothing follows `token`.
    func endsGeneration(_ token: Token) -> Bool
}
