/// Which cells of the KV cache each sequence occupies, so that cells shared after a copy are counted once.
///
/// A sequence is a chain of runs. Sequences that begin with the same runs share those cells.
struct CellUsage {
    private struct Run {
        let id: UInt64
        var count: Int
    }

    private var runs: [Int32: [Run]] = [:]
    private var lastID: UInt64 = 0

    /// Cells in use.
    var total: Int {
        var longest: [UInt64: Int] = [:]
        for run in runs.values.joined() { longest[run.id] = max(longest[run.id] ?? 0, run.count) }
        return longest.values.reduce(0, +)
    }

    /// Tokens of a sequence.
    func count(of sequence: Int32) -> Int {
        runs[sequence, default: []].reduce(0) { $0 + $1.count }
    }

    mutating func append(_ count: Int, to sequence: Int32) {
        guard count > 0 else { return }
        var chain = runs[sequence, default: []]
        if let last = chain.last, !isLonger(last, outside: sequence) {
            chain[chain.count - 1].count += count
        } else {
            lastID += 1
            chain.append(Run(id: lastID, count: count))
        }
        runs[sequence] = chain
    }

    /// Keeps the first `count` tokens of a sequence.
    mutating func cut(_ sequence: Int32, to count: Int) {
        runs[sequence] = prefix(of: sequence, count: count)
    }

    /// Lets `target` begin with the first `count` tokens of `source`, in the same cells.
    mutating func share(_ count: Int, of source: Int32, with target: Int32) {
        runs[target] = prefix(of: source, count: count)
    }

    private func prefix(of sequence: Int32, count: Int) -> [Run]? {
        var rest = count
        var chain: [Run] = []
        for run in runs[sequence, default: []] where rest > 0 {
            chain.append(Run(id: run.id, count: min(run.count, rest)))
            rest -= run.count
        }
        return chain.isEmpty ? nil : chain
    }

    /// Whether another sequence goes on in the cells of `run` where this one ends.
    private func isLonger(_ run: Run, outside sequence: Int32) -> Bool {
        runs.contains { other, chain in
            other != sequence && chain.contains { $0.id == run.id && $0.count > run.count }
        }
    }
}
