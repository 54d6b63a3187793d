/// What steps took lately: plain ones by the number of sequences, verifications by the number of tokens.
struct StepTimes: Sendable {
    /// Plain steps whose middle one counts; all of them are needed for a figure.
    static let plainMemory = 16
    /// Verifications of one size that are remembered.
    static let verifiedMemory = 8
    /// Generated tokens after which a size that was not computed again is unknown again.
    static let lifetime = 512
    /// Verifications of one size before their middle is trusted: the first of a size often takes long.
    static let trusted = 3
    /// How much more than in proportion a larger verification may take, as far as is known.
    static let caution = 1.25

    private struct Samples {
        private var seconds: [Double] = []
        private(set) var shortest = 0.0
        private(set) var middle = 0.0
        private(set) var longest = 0.0
        /// Generated tokens at the latest one.
        private(set) var time = 0

        var count: Int { seconds.count }

        mutating func add(_ value: Double, atMost count: Int, at time: Int) {
            if seconds.count >= count { seconds.removeFirst(seconds.count - count + 1) }
            seconds.append(value)
            let sorted = seconds.sorted()
            shortest = sorted[0]
            middle = sorted[sorted.count / 2]
            // One that took longer than all others was disturbed.
            longest = sorted[sorted.count < StepTimes.trusted ? sorted.count - 1 : sorted.count - 2]
            self.time = time
        }
    }

    private var plain: [Int: Samples] = [:]
    private var verified: [Int: Samples] = [:]

    /// The time of a step without drafts; nil as long as too few were seen.
    func plain(sequences: Int) -> Double? {
        guard let samples = plain[sequences], samples.count == Self.plainMemory else { return nil }
        return samples.middle
    }

    mutating func notePlain(_ seconds: Double, sequences: Int, time: Int) {
        forgetVerified(before: time - Self.lifetime)
        plain[sequences, default: Samples()].add(seconds, atMost: Self.plainMemory, at: time)
    }

    mutating func noteVerified(_ seconds: Double, tokens: Int, time: Int) {
        forgetVerified(before: time - Self.lifetime)
        verified[tokens, default: Samples()].add(seconds, atMost: Self.verifiedMemory, at: time)
    }

    private mutating func forgetVerified(before time: Int) {
        guard verified.contains(where: { $0.value.time < time }) else { return }
        verified = verified.filter { $0.value.time >= time }
    }

    /// What a verification of so many tokens will probably take, where `sequences` plain tokens take `plain`.
    ///
    /// Sizes beyond those that are known are expected to take no longer, so that they are tried.
    func likely(tokens: Int, sequences: Int, plain: Double) -> Double {
        if let known = verified[tokens] {
            if known.count >= Self.trusted { return known.middle }
            // Something between nothing and all of what as many plain steps take.
            let moderate = plain * (1 + Double(tokens) / Double(sequences)) / 2
            return min(known.shortest, moderate)
        }
        let (below, above) = neighbours(of: tokens, sequences: sequences, plain: plain) { $0.shortest }
        guard let above else { return below.seconds }
        let part = Double(tokens - below.tokens) / Double(above.tokens - below.tokens)
        return below.seconds + max(0, above.seconds - below.seconds) * part
    }

    /// What it will take at most, as far as is known.
    func worst(tokens: Int, sequences: Int, plain: Double) -> Double {
        if let known = verified[tokens] { return known.longest }
        let (below, above) = neighbours(of: tokens, sequences: sequences, plain: plain) { $0.longest }
        let projected = below.seconds * Double(tokens) / Double(below.tokens) * Self.caution
        return above.map { min($0.seconds, projected) } ?? projected
    }

    private func neighbours(
        of tokens: Int, sequences: Int, plain: Double, value: (Samples) -> Double
    ) -> (below: (tokens: Int, seconds: Double), above: (tokens: Int, seconds: Double)?) {
        let below = verified.keys.filter { $0 < tokens && $0 > sequences }.max()
        let above = verified.keys.filter { $0 > tokens }.min()
        return (
            below.flatMap { key in verified[key].map { (key, value($0)) } } ?? (sequences, plain),
            above.flatMap { key in verified[key].map { (key, value($0)) } }
        )
    }
}
