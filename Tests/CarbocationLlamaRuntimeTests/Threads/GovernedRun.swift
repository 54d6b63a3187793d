import TestSupport

@testable import CarbocationLlamaRuntime

/// A governor at work on a simulated machine.
struct GovernedRun {
    let machine: SimulatedMachine
    var governor: ThreadGovernor
    /// Whether steps can be stopped and computed again.
    var mayStop = true
    private(set) var seconds = 0.0
    /// Threads of every step so far.
    private(set) var counts: [Int] = []
    private var random: SeededGenerator
    private var window = 0.0

    init(_ machine: SimulatedMachine, limit: Int? = nil, busyAtStart: Int = 0, seed: UInt64 = 1) {
        self.machine = machine
        random = SeededGenerator(seed: seed)
        let free = machine.freeCores(threads: 1, busy: busyAtStart, random: &random)
        let load = machine.tellsLoad ? CoreLoad(freeCores: free, seconds: 0.3) : nil
        let fast = machine.cores.filter { $0 == machine.cores[0] }.count
        governor = ThreadGovernor(limit: limit ?? machine.cores.count, fastCores: fast, load: load)
    }

    /// Runs steps while so many other programs keep cores busy; gives the seconds of one step on average.
    @discardableResult
    mutating func run(_ steps: Int, busy: Int = 0, kind: ComputeStep.Kind = .decode(sequences: 1)) -> Double {
        let start = seconds
        for _ in 0..<steps { step(kind, busy: busy) }
        return (seconds - start) / Double(steps)
    }

    private mutating func step(_ kind: ComputeStep.Kind, busy: Int) {
        let threads = governor.threads(for: kind, mayStop: mayStop)
        let whole = machine.step(threads: threads, busy: busy, random: &random)
        let deadline = mayStop ? governor.deadline(for: kind) : nil
        let isStopped = deadline.map { $0 < whole } ?? false
        let duration = isStopped ? deadline ?? whole : whole
        counts.append(threads)
        seconds += duration
        window += duration
        if machine.tellsLoad, window >= 0.25 {
            let free = machine.freeCores(threads: threads, busy: busy, random: &random)
            governor.note(CoreLoad(freeCores: free, seconds: window))
            window = 0
        }
        governor.note(ComputeStep(kind: kind, threads: threads, seconds: duration, isStopped: isStopped))
        if isStopped { step(kind, busy: busy) }
    }
}
