/// A ``ThreadGovernor`` with a clock and eyes: what the inference loop asks before each batch and tells after it.
///
/// Used by one thread.
struct GovernedThreads: Sendable {
    private var cores: UsableCores
    /// Nil watches nothing but the time that batches take.
    private var meter: CoreLoadMeter?
    private let now: @Sendable () -> Double
    private var governor: ThreadGovernor?
    private var earlierTasks: Int?
    /// When the running batch began, and when the last one ended.
    private var start = 0.0
    private var end = 0.0

    /// Begins to watch the cores; created some time before the first batch it knows their load by then.
    init(cores: UsableCores) {
        self.init(
            cores: cores, meter: CoreLoadMeter(processors: cores.processors), now: { CoreLoadMeter.now() })
    }

    init(cores: UsableCores, meter: CoreLoadMeter?, now: @escaping @Sendable () -> Double) {
        self.cores = cores
        self.meter = meter
        self.now = now
    }

    /// What batches are computed with from now on.
    var choice: ThreadChoice {
        let threads = cores.recommendedThreadCount
        return governor?.choice ?? ThreadChoice(decode: threads, prefill: threads)
    }

    /// Uses these cores from the next batch on; `runnableTasks` were counted with them.
    mutating func setCores(_ cores: UsableCores, runnableTasks: Int? = nil) {
        earlierTasks = runnableTasks
        guard cores != self.cores else { return }
        if meter != nil, cores.processors != self.cores.processors {
            meter = CoreLoadMeter(processors: cores.processors)
        }
        self.cores = cores
        governor?.setLimit(cores.mostThreads, fastCores: cores.fast)
    }

    /// Begins a batch; gives the threads for it, and the seconds after which it is better stopped.
    ///
    /// `mayStop` tells that a batch can be stopped and computed again at no other cost.
    mutating func begin(_ kind: ComputeStep.Kind, mayStop: Bool = false) -> (threads: Int, deadline: Double?) {
        start = now()
        var governor: ThreadGovernor
        if let known = self.governor {
            governor = known
            if start - end > CoreLoadMeter.shortestWindow, let load = freshLoad() { governor.resume(load) }
        } else {
            governor = ThreadGovernor(limit: cores.mostThreads, fastCores: cores.fast, load: freshLoad())
        }
        self.governor = governor
        return (governor.threads(for: kind, mayStop: mayStop), mayStop ? governor.deadline(for: kind) : nil)
    }

    /// Ends the batch.
    ///
    /// One that was interrupted says nothing about the time it takes, unless it was stopped at its deadline.
    mutating func end(_ kind: ComputeStep.Kind, threads: Int, isComplete: Bool, isStopped: Bool = false) {
        end = now()
        let seconds = end - start
        meter?.note(threads: threads, seconds: seconds)
        let isLong = seconds >= CoreLoadMeter.urgentWindow
        let window = isLong ? CoreLoadMeter.urgentWindow : CoreLoadMeter.shortestWindow
        if let load = meter?.reading(after: window) { governor?.note(load) }
        guard isComplete else { return }
        governor?.note(ComputeStep(kind: kind, threads: threads, seconds: seconds, isStopped: isStopped))
    }

    /// The load after a pause: over the pause if that was short, else at this moment.
    private mutating func freshLoad() -> CoreLoad? {
        let isRecent = meter?.window.map { $0 <= CoreLoadMeter.longestWindow } ?? false
        let reading = meter?.reading(after: CoreLoadMeter.urgentWindow)
        return isRecent && reading != nil ? reading : meter?.glance(earlierTasks: earlierTasks) ?? reading
    }
}
