/// What steps took lately, for each kind of work and number of threads.
struct StepCosts: Sendable {
    /// Steps whose mean a cost is; older ones fade.
    static let memory = 8.0
    /// A single step counts at most as this multiple of what was known.
    static let outlier = 3.0

    private struct Mean {
        let threads: Int
        var value: Double
        var count = 1.0
        /// Steps in a row that took less than half of it.
        var quick = 0

        mutating func add(_ cost: Double) {
            // The first steps after a load take long. One quick step may be one that had nothing to do; two tell.
            quick = cost * 2 < value ? quick + 1 : 0
            guard quick < 2 else {
                self = Mean(threads: threads, value: cost)
                return
            }
            count = min(count + 1, StepCosts.memory)
            value += (min(cost, value * StepCosts.outlier) - value) / count
        }
    }

    /// By work.
    private var means: [Int: [Mean]] = [:]

    func cost(of work: Int, threads: Int) -> Double? {
        means[work]?.first { $0.threads == threads }?.value
    }

    /// What a step should take at most, judged by what is known of other counts.
    ///
    /// More threads are expected to take no longer, and fewer no longer than in proportion.
    func expectation(of work: Int, threads: Int) -> Double? {
        means[work]?.map { $0.value * max(1, Double($0.threads) / Double(threads)) }.min()
    }

    /// The least cost that is known of fewer threads.
    func fallback(of work: Int, below threads: Int) -> Double? {
        means[work]?.lazy.filter { $0.threads < threads }.map(\.value).min()
    }

    mutating func note(_ cost: Double, of work: Int, threads: Int) {
        if let index = means[work]?.firstIndex(where: { $0.threads == threads }) {
            means[work]?[index].add(cost)
        } else {
            means[work, default: []].append(Mean(threads: threads, value: cost))
        }
    }
}
