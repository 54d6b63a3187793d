/// Finds out whether more threads than there are free cores are faster all the same.
///
/// Usually they are far slower: every thread waits at ggml's barriers for the one that lost its core. But where the
/// scheduler happens to run all of them at the same time, each core gives its share of time to one thread of the engine
/// instead of to one core's worth of them. Only an attempt can tell, and an attempt is cheap once a step that takes
/// too long is stopped: a failed one costs about a step. Attempts are rarer the more often they fail.
///
/// For decoding only: a batch of prompt tokens is too long to be stopped and computed again.
struct BusyTrial: Sendable {
    /// Seconds of steps before the first attempt; doubles with each attempt that fails.
    static let leastWait = 0.5
    static let mostWait = 64.0
    /// Steps before an attempt, so that it costs a few percent at most also where steps are long; doubles likewise.
    static let leastSteps = 32
    static let mostSteps = 4096
    /// Steps of an attempt; the middle one counts.
    static let length = 5
    /// A step of an attempt is stopped when it takes this much longer than a step with fewer threads.
    static let hopeless = 1.2
    /// What more threads must save.
    static let gain = 0.1
    /// Other steps are stopped when they take this many times as long as they should.
    static let stall = 4.0

    /// Threads and the seconds that a step with them takes.
    private struct Pace {
        var threads: Int
        var seconds: Double
    }

    /// What was found so far; nil leaves the choice to others.
    private var held: Pace?
    /// The number of threads that is tried now, and what its steps took.
    private var attempt: (threads: Int, costs: [Double])?
    private var wait = (seconds: Self.leastWait, steps: Self.leastSteps)
    private var failures = 0
    private var waited = (seconds: 0.0, steps: 0)
    /// What kind of steps is compared, see ``ComputeStep/work``.
    private var work = 0
    /// Seconds of a step with as many threads as there are free cores.
    private var reference = 0.0
    /// Seconds that the steps since the first success saved, at most those of some steps.
    private var saved = 0.0

    /// Threads that attempts found to be faster.
    var found: Int? { held?.threads }

    /// Threads that it makes steps use now, whether they were found or are tried.
    var used: Int? { attempt?.threads ?? held?.threads }

    /// Threads for the next step with such work; nil leaves the choice to others.
    func threads(for work: Int) -> Int? {
        work == self.work ? used : nil
    }

    /// Seconds after which the next step with such work is better stopped.
    func deadline(for work: Int) -> Double? {
        guard work == self.work else { return nil }
        if attempt != nil { return (held?.seconds ?? reference) * Self.hopeless }
        return held.map { $0.seconds * Self.stall }
    }

    /// Begins again: other programs need more or fewer cores than before.
    mutating func reset() {
        self = BusyTrial()
    }

    /// Learns from a step of decoding.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - settled: The threads that the choice falls on without attempts, and what is known of steps with them; nil
    ///     while there is nothing to try.
    ///   - ladder: The numbers of threads.
    mutating func note(_ step: ComputeStep, settled: (threads: Int, cost: Double)?, ladder: ThreadLadder) {
        if let attempt {
            if step.work == work, step.threads == attempt.threads { advance(step, attempt.costs) }
        } else if let held {
            guard step.work == work, step.threads == held.threads else { return }
            check(step)
            countDown(step, from: held.threads, ladder)
        } else if let settled, settled.cost > 0 {
            work = step.work
            reference = settled.cost
            countDown(step, from: settled.threads, ladder)
        }
    }

    private mutating func countDown(_ step: ComputeStep, from threads: Int, _ ladder: ThreadLadder) {
        waited = (waited.seconds + step.seconds, waited.steps + 1)
        // Twice as many, or where that failed half as many more.
        let next = ladder.rung(atMost: failures.isMultiple(of: 2) ? threads * 2 : threads * 3 / 2)
        guard waited.seconds >= wait.seconds, waited.steps >= wait.steps else { return }
        guard next > threads else { return fail() }
        attempt = (next, [])
    }

    private mutating func advance(_ step: ComputeStep, _ costs: [Double]) {
        guard !step.isStopped else { return fail() }
        let costs = costs + [step.cost]
        guard costs.count == Self.length else {
            attempt = (step.threads, costs)
            return
        }
        let middle = costs.sorted()[Self.length / 2]
        guard middle < (held?.seconds ?? reference) * (1 - Self.gain) else { return fail() }
        held = Pace(threads: step.threads, seconds: middle)
        failures = 0
        wait = (0, Self.leastSteps)
        endAttempt()
    }

    /// Goes on for as long as it pays.
    private mutating func check(_ step: ComputeStep) {
        saved += (step.isStopped ? 0 : reference) - step.seconds
        // What was saved long ago does not pay for what is lost now.
        saved = min(saved, reference * Double(Self.leastSteps))
        guard saved < 0 else { return }
        held = nil
        fail()
    }

    private mutating func fail() {
        failures += 1
        wait.seconds = min(max(wait.seconds * 2, Self.leastWait), Self.mostWait)
        wait.steps = min(wait.steps * 2, Self.mostSteps)
        endAttempt()
    }

    private mutating func endAttempt() {
        attempt = nil
        waited = (0, 0)
        saved = held == nil ? 0 : saved
    }
}
