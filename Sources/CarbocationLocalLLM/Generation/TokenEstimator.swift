/// A guess at token counts, for providers that cannot count.
public enum TokenEstimator {
    /// About one token for every three bytes of UTF-8, rounded up; 0 for empty text.
    public static func estimate(_ text: String) -> Int {
        (text.utf8.count + 2) / 3
    }
}
