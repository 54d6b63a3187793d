/// A step as far as it is planned.
struct PlannedStep: Sendable {
    /// Jobs in it, each with one token.
    let sequences: Int
    /// The loss of the job that is furthest behind, see ``LossWindow``.
    let worstLoss: Double
    private(set) var drafted = 0
    private(set) var expectedTokens: Double
    private var draftSeconds = 0.0

    init(sequences: Int, worstLoss: Double) {
        self.sequences = sequences
        self.worstLoss = worstLoss
        expectedTokens = Double(sequences)
    }

    /// The step with a draft more.
    func adding(_ count: Int, probability: Double, seconds: Double) -> PlannedStep {
        var step = self
        step.drafted += count
        step.draftSeconds += seconds * Double(count)
        var term = 1.0
        for _ in 0..<count {
            term *= probability
            step.expectedTokens += term
        }
        return step
    }

    /// Seconds that it will probably take, where a step without drafts takes `plain`.
    func likelySeconds(_ plain: Double, _ times: StepTimes) -> Double {
        guard drafted > 0 else { return plain }
        return times.likely(tokens: sequences + drafted, sequences: sequences, plain: plain) + draftSeconds
    }

    /// Seconds that it will take at most, as far as is known.
    func worstSeconds(_ plain: Double, _ times: StepTimes) -> Double {
        times.worst(tokens: sequences + drafted, sequences: sequences, plain: plain) + draftSeconds
    }
}
