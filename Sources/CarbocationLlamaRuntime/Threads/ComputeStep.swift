/// One computed batch, as the ``ThreadGovernor`` sees it.
struct ComputeStep: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// One token for each of so many sequences.
        case decode(sequences: Int)
        /// So many tokens of decoding sequences, drafts among them.
        case verify(tokens: Int)
        /// A batch of so many tokens, with prompt tokens among them.
        case prefill(tokens: Int)
    }

    var kind: Kind
    /// Threads it was computed with.
    var threads: Int
    /// Wall time in seconds.
    var seconds: Double
    /// Whether it was stopped at its deadline, so that it has to be computed again.
    var isStopped = false
}

extension ComputeStep.Kind {
    /// Steps with the same value take about the same time at the same number of threads.
    ///
    /// Sizes are grouped by powers of two, and the time of prompts is compared per token. Verifications come in few
    /// sizes, and a few tokens more may take much longer.
    var work: Int {
        switch self {
        case .decode(let sequences): Self.magnitude(sequences)
        case .verify(let tokens): Int.bitWidth + tokens
        case .prefill(let tokens): Self.magnitude(tokens)
        }
    }

    private static func magnitude(_ count: Int) -> Int {
        Int.bitWidth - max(1, count).leadingZeroBitCount
    }
}

extension ComputeStep {
    var work: Int { kind.work }

    /// Seconds for what ``work`` makes comparable.
    var cost: Double {
        switch kind {
        case .decode, .verify: seconds
        case .prefill(let tokens): seconds / Double(max(1, tokens))
        }
    }
}
