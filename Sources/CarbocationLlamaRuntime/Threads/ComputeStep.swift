/// One computed batch, as the ``ThreadGovernor`` sees it.
struct ComputeStep: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// One token for each of so many sequences.
        case decode(sequences: Int)
        /// A batch of so many tokens, with prompt tokens among them.
        case prefill(tokens: Int)
    }

    var kind: Kind
    /// Threads it was computed with.
    var threads: Int
    /// Wall time in seconds.
    var seconds: Double
}

extension ComputeStep {
    /// Steps with the same value take about the same time at the same number of threads.
    ///
    /// Sizes are grouped by powers of two, and the time of prompts is compared per token.
    var work: Int {
        switch kind {
        case .decode(let sequences): Self.magnitude(sequences)
        case .prefill(let tokens): Self.magnitude(tokens)
        }
    }

    /// Seconds for what ``work`` makes comparable.
    var cost: Double {
        switch kind {
        case .decode: seconds
        case .prefill(let tokens): seconds / Double(max(1, tokens))
        }
    }

    private static func magnitude(_ count: Int) -> Int {
        Int.bitWidth - max(1, count).leadingZeroBitCount
    }
}
