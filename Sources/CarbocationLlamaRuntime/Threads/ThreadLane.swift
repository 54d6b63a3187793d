/// The search for the fastest number of threads for one kind of batch.
///
/// A hill climb over a ``ThreadLadder``: now and then a few steps run with another count (a probe), and the count
/// moves when they were faster. It knows nothing of other programs; ``ThreadGovernor`` bounds it from above.
struct ThreadLane: Sendable {
    /// Steps of a probe; the middle one counts, so that one disturbed step decides nothing.
    static let probeLength = 3
    /// A probe ends after its first step when that took this much longer: what is clearly worse costs one step.
    static let hopeless = 1.15
    /// What another count must save before the count moves; less is noise.
    static let gain = 0.03
    /// Steps between probes at first; a probe of half the threads costs about one step more.
    static let firstInterval = 16
    /// The interval doubles up to here while nothing changes.
    static let longestInterval = 4096
    /// Steps of other kinds that a probe waits for its own; then what it would have tried comes later.
    static let longestPause = 64
    /// Steps that became this much slower than when they were last compared are compared again at once.
    static let drift = 1.25

    private struct Probe {
        var threads: Int
        var work: Int
        /// The cost to beat.
        var reference: Double
        var costs: [Double] = []
        /// Steps of other kinds since it began.
        var pause = 0
    }

    private(set) var costs = StepCosts()
    private var ladder: ThreadLadder
    private var preferred: Int
    /// What was preferred before the ceiling fell: what is found below it holds for a busy machine only.
    private var unbounded: Int?
    private var probe: Probe?
    /// Counts still to compare before the interval doubles.
    private var round: [Int]?
    private var interval = Self.firstInterval
    private var stepsToProbe = Self.firstInterval
    /// The costs when they were last compared, by work.
    private var settledCosts: [Int: Double] = [:]

    init(ladder: ThreadLadder) {
        self.ladder = ladder
        preferred = ladder.limit
    }

    /// Threads for the next step with such work.
    func threads(for work: Int, atMost ceiling: Int) -> Int {
        if let probe, probe.work == work, probe.threads <= ceiling { return probe.threads }
        return settled(atMost: ceiling)
    }

    /// Threads for steps that are no probe.
    func settled(atMost ceiling: Int) -> Int {
        min(preferred, ceiling)
    }

    mutating func setLadder(_ ladder: ThreadLadder) {
        preferred = preferred == self.ladder.limit ? ladder.limit : ladder.rung(atMost: preferred)
        unbounded = nil
        self.ladder = ladder
        restart()
    }

    mutating func ceilingFell() {
        unbounded = unbounded ?? preferred
        restart()
    }

    mutating func ceilingRose() {
        preferred = unbounded ?? preferred
        unbounded = nil
        restart()
    }

    /// Compares again soon: the machine has changed.
    mutating func restart() {
        probe = nil
        round = nil
        interval = Self.firstInterval
        stepsToProbe = min(stepsToProbe, interval)
        settledCosts = [:]
    }

    /// Learns from a step; `roof`, at most the ceiling, bounds probes upwards.
    mutating func note(_ step: ComputeStep, atMost ceiling: Int, roof: Int) {
        costs.note(step.cost, of: step.work, threads: step.threads)
        if let probe, probe.work != step.work, probe.pause < Self.longestPause {
            self.probe?.pause += 1
        } else if let probe, probe.work == step.work, probe.threads == step.threads {
            advance(probe, step.cost, atMost: ceiling)
        } else if step.threads == settled(atMost: ceiling) {
            if let probe { round?.append(probe.threads) }
            probe = nil
            countDown(step, atMost: ceiling, roof: roof)
        }
    }
}

// MARK: - Probes

extension ThreadLane {
    private mutating func countDown(_ step: ComputeStep, atMost ceiling: Int, roof: Int) {
        // Drafts come in too many sizes to be compared.
        if case .verify = step.kind { return }
        guard let cost = costs.cost(of: step.work, threads: step.threads) else { return }
        stepsToProbe -= 1
        if cost > (settledCosts[step.work] ?? cost) * Self.drift { stepsToProbe = 0 }
        settledCosts[step.work] = min(settledCosts[step.work] ?? cost, cost)
        guard stepsToProbe <= 0 else { return }
        let current = settled(atMost: ceiling)
        var candidates = round ?? ladder.alternatives(to: current, atMost: ceiling)
        candidates.removeAll { $0 > roof && $0 > current }
        stepsToProbe = interval
        settledCosts[step.work] = cost
        if candidates.isEmpty { return endRound() }
        probe = Probe(threads: candidates.removeFirst(), work: step.work, reference: cost)
        round = candidates
    }

    private mutating func advance(_ running: Probe, _ cost: Double, atMost ceiling: Int) {
        var running = running
        running.costs.append(cost)
        let isHopeless = running.costs.count == 1 && cost > running.reference * Self.hopeless
        guard isHopeless || running.costs.count == Self.probeLength else {
            probe = running
            return
        }
        probe = nil
        let middle = running.costs.sorted()[running.costs.count / 2]
        if middle < running.reference * (1 - Self.gain) {
            preferred = running.threads
            restart()
        } else if round?.isEmpty ?? true {
            endRound()
        }
    }

    private mutating func endRound() {
        round = nil
        interval = min(interval * 2, Self.longestInterval)
        stepsToProbe = interval
    }
}
