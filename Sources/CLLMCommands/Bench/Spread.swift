import CarbocationLocalLLM

/// How a measured value varies.
struct Spread: Sendable, Hashable {
    let median: Double
    let least: Double
    let most: Double

    /// Nil when there is nothing to summarise.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return nil }
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        self.least = least
        self.most = most
    }

    var json: LLMJSONValue { ["median": .double(median), "min": .double(least), "max": .double(most)] }
}
