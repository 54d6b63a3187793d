/// Chooses how many threads batches are computed with, from how long they took and what other programs need.
///
/// ggml's threads spin at a barrier after every operation. While every thread has a core, more threads are faster.
/// As soon as another program takes a core from one of them all of them wait, and a step takes many times as long:
/// ten to a hundred times was measured. So an attempt with one thread too many may cost a second, an attempt with one
/// too few a few milliseconds, and the two are not treated alike:
///
/// - **Ceiling.** Both kinds of batches stay below a common ceiling. It starts at the cores that are free, and falls
///   at once when fewer are free or a step stalls. It rises only after the cores were seen free for some time
///   (`patience`), which doubles whenever a rise cost more than it gained. Where the system tells nothing about its
///   cores, it rises after ``repayment`` times what the last rise cost, so that rises cost a few percent at most.
/// - **Trials.** Rarely, more threads than the ceiling are the faster choice all the same, see ``BusyTrial``.
/// - **Lanes.** Below the ceiling each kind of batch looks for its own best count, see ``ThreadLane``: memory-bound
///   decoding may be fastest with fewer threads than there are cores.
///
/// A pure value: no clock, no system calls. Time is the sum of the steps and loads that it was told of.
struct ThreadGovernor: Sendable {
    /// A step stalled when it took this many times as long as expected; short of that a longer context, a wide batch
    /// or a slower clock may be the reason, which the lanes see.
    static let stall = 3.0
    /// A stall also lasts so many seconds longer than expected: any thread may lose a few milliseconds to an interrupt.
    static let shortestStall = 0.015
    /// The part of a core that others may use while it still counts as free.
    ///
    /// Below that, leaving the core to them costs more than their interruptions.
    static let tolerance = 0.6
    /// The same before the ceiling rises, where a mistake is dear; the kernel counts more exactly than that.
    static let riseTolerance = 0.25
    /// Seconds for which cores must be free before the ceiling rises.
    static let leastPatience = 0.2
    static let mostPatience = 6.4
    /// Where the cores' load does not explain a stall, the next attempt waits this many times what the last one cost.
    static let repayment = 16.0
    /// Seconds of computing before the ceiling rises where nothing speaks against it.
    static let leastWait = 0.05

    private var ladder: ThreadLadder
    private var decode: ThreadLane
    private var prefill: ThreadLane
    private var trial = BusyTrial()
    private var ceiling: Int
    private var load: CoreLoad?
    private var patience = Self.leastPatience
    /// Seconds of cores free above the ceiling, and how many were free all that time.
    private var quiet = (seconds: 0.0, threads: Int.max)
    /// Seconds of steps since the ceiling changed, and how many must pass before it may rise.
    private var sinceChange = 0.0
    private var wait = Self.leastWait
    /// Seconds that the steps since the last rise saved, compared with fewer threads.
    private var saved = 0.0
    private var hasRisen = false
    /// Whether a trial's threads took part since the load was read last.
    private var hasTried = false

    /// Starts with the cores that are free; where that is not known, with one thread.
    ///
    /// `fastCores` are the faster ones among `limit` cores of two kinds.
    init(limit: Int, fastCores: Int? = nil, load: CoreLoad? = nil) {
        ladder = ThreadLadder(limit: limit, fastCores: fastCores)
        decode = ThreadLane(ladder: ladder)
        prefill = ThreadLane(ladder: ladder)
        ceiling = ladder.limit
        ceiling = load.map { bound($0, Self.tolerance) } ?? 1
        self.load = load
    }

    /// What steps that are no probe use.
    var choice: ThreadChoice {
        ThreadChoice(decode: trial.found ?? settled.decode, prefill: settled.prefill)
    }

    /// Threads for the next step, which may be one that has to be stopped at its ``deadline(for:)``.
    func threads(for kind: ComputeStep.Kind, mayStop: Bool = false) -> Int {
        if mayStop, case .decode = kind, let threads = trial.threads(for: kind.work) { return threads }
        return lane(of: kind).threads(for: kind.work, atMost: ceiling)
    }

    /// Seconds after which the next step is better stopped and computed again.
    func deadline(for kind: ComputeStep.Kind) -> Double? {
        guard case .decode = kind else { return nil }
        return trial.deadline(for: kind.work)
    }

    /// Never uses more than this many threads from now on.
    mutating func setLimit(_ limit: Int, fastCores: Int? = nil) {
        let changed = ThreadLadder(limit: limit, fastCores: fastCores)
        guard changed != ladder else { return }
        let wasFree = ceiling == ladder.limit
        ladder = changed
        ceiling = wasFree ? load.map { bound($0, Self.tolerance) } ?? ladder.limit : ladder.rung(atMost: ceiling)
        decode.setLadder(ladder)
        prefill.setLadder(ladder)
        trial.reset()
    }

    /// Starts after a pause: what was seen before it says nothing about now.
    mutating func resume(_ load: CoreLoad) {
        self.load = load
        let free = bound(load, Self.tolerance)
        guard free != ceiling else { return }
        if free > ceiling { rise(to: free) } else { fall(to: free) }
    }

    /// Learns how many cores were free, some times a second.
    mutating func note(_ load: CoreLoad) {
        let roofBefore = roof
        self.load = load
        if roof > roofBefore { restart(below: roof) }
        let tolerable = bound(load, Self.tolerance)
        // A trial takes its share from the other programs, so their load tells little while it lasts.
        defer { hasTried = false }
        if hasTried, let used = trial.used, bound(load, Self.riseTolerance) < used { return }
        if tolerable < max(settled.decode, settled.prefill) { fall(to: tolerable) }
        let free = bound(load, Self.riseTolerance)
        guard free > ceiling else {
            quiet = (0, .max)
            return
        }
        quiet = (quiet.seconds + max(0, load.seconds), min(quiet.threads, free))
        // A stall that other programs do not explain comes again: its price decides when to try.
        if quiet.seconds >= patience, sinceChange >= wait { rise(to: quiet.threads) }
    }

    /// Learns how long a step took.
    mutating func note(_ step: ComputeStep) {
        guard step.seconds > 0, step.seconds.isFinite else { return }
        sinceChange += step.seconds
        guard !tried(step) else { return }
        let isStalled = account(for: step)
        withLane(of: step.kind) { [ceiling, roof] in $0.note(step, atMost: ceiling, roof: roof) }
        if isStalled {
            let free = load.map { bound($0, Self.tolerance) } ?? ladder.limit
            fall(to: min(free, ladder.rung(atMost: step.threads / 2)), isExplained: isShort(for: step.threads))
        } else if load == nil, ceiling < ladder.limit, sinceChange >= wait {
            rise(to: ladder.rung(atMost: ceiling * 2))
        }
    }
}

// MARK: - Trials

extension ThreadGovernor {
    /// Tells the trial of a step; true when it was one of its own, which says nothing about the ceiling.
    private mutating func tried(_ step: ComputeStep) -> Bool {
        guard case .decode = step.kind else { return false }
        let isTrial = trial.threads(for: step.work) == step.threads
        hasTried = hasTried || isTrial
        let threads = decode.settled(atMost: ceiling)
        // Only where other programs hold the ceiling down, which the load has to say.
        let isHeldDown = load != nil && ceiling < ladder.limit && threads == ceiling
        let cost = isHeldDown ? decode.costs.cost(of: step.work, threads: threads) : nil
        trial.note(step, settled: cost.map { (threads, $0) }, ladder: ladder)
        return isTrial || step.isStopped
    }
}

// MARK: - The ceiling

extension ThreadGovernor {
    /// Probes go no higher than the cores that are surely free.
    private var roof: Int {
        min(ceiling, load.map { bound($0, Self.riseTolerance) } ?? ceiling)
    }

    private func bound(_ load: CoreLoad, _ tolerance: Double) -> Int {
        // The order keeps what is no number at 1.
        let cores = (load.freeCores + tolerance).rounded(.down)
        return ladder.rung(atMost: cores >= 1 ? Int(min(cores, Double(ladder.limit))) : 1)
    }

    /// Whether others keep so many cores busy that these threads have hardly enough.
    private func isShort(for threads: Int) -> Bool {
        guard let load else { return false }
        return bound(load, Self.riseTolerance) < ladder.limit && load.freeCores < Double(threads) + Self.tolerance
    }

    /// Books what the step saved or cost; true when it stalled.
    private mutating func account(for step: ComputeStep) -> Bool {
        let costs = lane(of: step.kind).costs
        guard step.threads > 1,
            let expected = costs.expectation(of: step.work, threads: step.threads)
        else { return false }
        let fallback = costs.fallback(of: step.work, below: step.threads) ?? expected
        saved += (fallback / step.cost - 1) * step.seconds
        let excess = (1 - expected / step.cost) * step.seconds
        return step.cost > expected * Self.stall && excess > Self.shortestStall
    }

    /// Lets the lanes that stayed below cores that are free now try them soon.
    private mutating func restart(below roof: Int) {
        if settled.decode < roof { decode.restart() }
        if settled.prefill < roof { prefill.restart() }
    }

    private mutating func fall(to threads: Int, isExplained: Bool = true) {
        guard threads < ceiling else { return }
        if hasRisen { patience = saved < 0 ? min(patience * 2, Self.mostPatience) : Self.leastPatience }
        wait = isExplained ? 0 : max(Self.leastWait, -saved * Self.repayment)
        hasRisen = false
        change(to: threads)
        decode.ceilingFell()
        prefill.ceilingFell()
    }

    private mutating func rise(to threads: Int) {
        hasRisen = true
        saved = 0
        wait = Self.leastWait
        change(to: threads)
        decode.ceilingRose()
        prefill.ceilingRose()
    }

    private mutating func change(to threads: Int) {
        ceiling = threads
        trial.reset()
        sinceChange = 0
        quiet = (0, .max)
    }
}

// MARK: - Lanes

extension ThreadGovernor {
    /// The lanes' choice below the ceiling.
    private var settled: ThreadChoice {
        ThreadChoice(decode: decode.settled(atMost: ceiling), prefill: prefill.settled(atMost: ceiling))
    }

    private func lane(of kind: ComputeStep.Kind) -> ThreadLane {
        switch kind {
        case .decode, .verify: decode
        case .prefill: prefill
        }
    }

    private mutating func withLane(of kind: ComputeStep.Kind, _ body: (inout ThreadLane) -> Void) {
        switch kind {
        case .decode, .verify: body(&decode)
        case .prefill: body(&prefill)
        }
    }
}
