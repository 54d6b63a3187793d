import Foundation

/// Tells how many cores other programs leave, from the kernel's accounting and this process's own use.
///
/// One reading costs some ten microseconds, so it is taken a few times a second.
struct CoreLoadMeter: Sendable {
    /// The kernel counts in hundredths of a second: a shorter time says little about two cores.
    static let shortestWindow = 0.2
    /// After a step that may have stalled less has to do.
    static let urgentWindow = 0.08
    /// What happened before so many seconds says nothing about now.
    static let longestWindow = 2.0

    /// What was counted at one moment.
    struct Sample: Equatable, Sendable {
        /// Seconds on any clock.
        var time: Double
        var processors: ProcessorTimes
        /// Seconds of computing time of this process.
        var own: Double
    }

    private let processors: Set<Int>
    private var last: Sample?
    /// Seconds that this engine's threads can have used since then.
    private var computed = 0.0

    /// Starts a window now.
    init(processors: Set<Int>) {
        self.processors = processors
        last = sample()
    }

    /// Seconds since the window began.
    var window: Double? {
        last.map { Self.now() - $0.time }
    }

    /// Notes what the engine itself may have used.
    mutating func note(threads: Int, seconds: Double) {
        // Outside of its steps the engine uses its own thread at most.
        computed += Double(threads - 1) * seconds
    }

    /// The load since the last reading, once that was at least `shortest` seconds ago.
    mutating func reading(after shortest: Double) -> CoreLoad? {
        guard let last, let window, window >= shortest, let current = sample() else { return nil }
        defer {
            self.last = current
            computed = 0
        }
        return Self.load(from: last, to: current, computed: computed + window)
    }

    /// The load at this moment; nil where the kernel does not tell.
    ///
    /// Rough, as what runs for an instant counts as much as what runs on. `earlierTasks`, counted some time before,
    /// make it better: a program that keeps a core busy was there then, too.
    func glance(earlierTasks: Int?) -> CoreLoad? {
        guard let last, let tasks = ProcessorTimes.runnableTasks() else { return nil }
        // One of the tasks is the caller.
        let others = min(tasks, earlierTasks ?? tasks) - 1
        return CoreLoad(freeCores: Double(last.processors.cores - others), seconds: 0)
    }

    /// The load between two samples.
    ///
    /// `computed` bounds what counts as the engine's own: another thread of the process takes cores like another
    /// program.
    static func load(from first: Sample, to second: Sample, computed: Double) -> CoreLoad? {
        let seconds = second.time - first.time
        guard seconds > 0, first.processors.cores == second.processors.cores else { return nil }
        let own = min(second.own - first.own, computed)
        let others = max(0, second.processors.busy - first.processors.busy - own)
        return CoreLoad(freeCores: Double(first.processors.cores) - others / seconds, seconds: seconds)
    }

    private func sample() -> Sample? {
        ProcessorTimes.current(of: processors).map {
            Sample(time: Self.now(), processors: $0, own: Self.seconds(of: CLOCK_PROCESS_CPUTIME_ID))
        }
    }

    static func now() -> Double {
        seconds(of: CLOCK_MONOTONIC)
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
