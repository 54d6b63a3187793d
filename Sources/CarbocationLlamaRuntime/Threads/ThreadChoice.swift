/// How many threads the next batches are computed with.
package struct ThreadChoice: Hashable, Sendable {
    /// For batches of one token for each running generation.
    package var decode: Int
    /// For batches with prompt tokens.
    package var prefill: Int

    package init(decode: Int, prefill: Int) {
        self.decode = decode
        self.prefill = prefill
    }
}
