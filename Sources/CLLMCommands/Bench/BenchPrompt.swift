/// Prompts of any length that differ from each other from their first word on, so that no cache can help.
struct BenchPrompt: Hashable {
    /// Which of the prompts this is.
    let variant: Int
    /// How many words stand before the request.
    let words: Int

    var text: String {
        let filler = (0..<words).map { Self.vocabulary[($0 &* 7 &+ variant &* 3) % Self.vocabulary.count] }
        let opening = (["\(variant)"] + filler).joined(separator: " ")
        return "\(opening).\nCount from 1 to 10000 in digits with a comma after each number, and leave none out."
    }

    private static let vocabulary = [
        "river", "stone", "window", "garden", "paper", "winter", "music", "bridge", "apple", "market", "letter",
        "silver", "morning", "forest", "engine", "island", "castle", "summer", "yellow", "travel",
    ]
}
