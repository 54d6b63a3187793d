import TestSupport

@testable import CarbocationLlamaRuntime

/// A machine whose steps take as long as a model of cores, memory and spinning threads says.
struct SimulatedMachine {
    /// The speed of each core, the ones that are used first in front.
    var cores: [Double]
    /// Seconds of one step on one core of speed 1.
    var work = 0.0115
    /// The part of a step that one thread does alone.
    var serial = 0.05
    /// Threads that memory keeps fed.
    var memoryLimit = Double.infinity
    /// Standard deviation of a step's time, as a part of it.
    var noise = 0.04
    /// Seconds that a step takes longer when a thread loses its core: some milliseconds at each barrier.
    var stall = 0.05...1.2
    /// How often a step with a thread too many stalls: seldom where the scheduler happens to run its threads together.
    var stallRate = 1.0
    /// Whether the system tells how busy its cores are.
    var tellsLoad = true

    init(cores: [Double]) {
        self.cores = cores
    }

    init(cores: Int) {
        self.init(cores: Array(repeating: 1, count: cores))
    }

    /// Seconds of an undisturbed step.
    func undisturbed(threads: Int) -> Double {
        let used = cores.prefix(threads)
        let parallel = min(memoryLimit, Double(used.count) * (used.min() ?? 1))
        return work * (serial / cores[0] + (1 - serial) / parallel)
    }

    /// The fixed count that is fastest beside so many busy programs, and the seconds a step takes with it on average.
    func best(busy: Int = 0) -> (threads: Int, seconds: Double) {
        let costs = (1...cores.count).map { threads in
            let isShort = threads > 1 && threads + busy > cores.count
            let wait = isShort ? (stall.lowerBound + stall.upperBound) / 2 * stallRate : 0
            return (threads, undisturbed(threads: threads) * share(threads: threads, busy: busy) + wait)
        }
        return costs.min { $0.1 < $1.1 } ?? (1, 0)
    }

    /// How many times as long computing takes where cores are shared.
    private func share(threads: Int, busy: Int) -> Double {
        max(1, Double(threads + busy) / Double(cores.count))
    }

    /// Seconds of a step beside so many busy programs.
    func step(threads: Int, busy: Int, random: inout SeededGenerator) -> Double {
        let base =
            undisturbed(threads: threads) * share(threads: threads, busy: busy)
            * max(0.5, 1 + noise * random.normal())
        guard threads > 1, threads + busy > cores.count else { return base }
        guard stallRate == 1 || Double.random(in: 0..<1, using: &random) < stallRate else { return base }
        return base + Double.random(in: stall, using: &random)
    }

    /// Cores that the others leave, as they compete for them with so many threads.
    func freeCores(threads: Int, busy: Int, random: inout SeededGenerator) -> Double {
        let wanted = Double(threads + busy)
        let share = min(1, Double(cores.count) / wanted)
        return Double(cores.count) - Double(busy) * share + 0.08 * random.normal()
    }
}

extension SeededGenerator {
    /// About normally distributed, with deviation 1.
    mutating func normal() -> Double {
        (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -1..<1, using: &self) }
    }
}
