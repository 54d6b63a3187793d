import Testing

@testable import CarbocationLlamaRuntime

@Suite("Processor times")
struct ProcessorTimesTests {
    private static let statistics = """
        cpu  30 3 12 800 20 0 6 9 4 0
        cpu0 10 1 4 400 10 0 2 3 4 0
        cpu1 20 2 8 400 10 0 4 6 0 0
        intr 1 2 3
        """

    @Test("busy is what is neither idle nor waiting, of the given cores", arguments: [([0], 0.2), ([0, 1], 0.6)])
    func busy(processors: [Int], seconds: Double) {
        let times = ProcessorTimes(statistics: Self.statistics, processors: Set(processors), ticksPerSecond: 100)
        #expect(times == ProcessorTimes(cores: processors.count, busy: seconds))
    }

    @Test("what is no such list tells nothing", arguments: ["", "intr 1", "cpu  1 2 3 4", "cpu0 1 2", "cpux 1 2 3 4"])
    func malformed(text: String) {
        #expect(ProcessorTimes(statistics: text, processors: [0], ticksPerSecond: 100) == nil)
    }

    @Test(
        "runnable tasks",
        arguments: [("0.25 0.65 1.38 3/94 3397\n", 3), ("", nil), ("1 2 3 x/9 1", nil), ("0 0 0 0/0 0", nil)]
            as [(String, Int?)])
    func runnable(text: String, tasks: Int?) {
        #expect(ProcessorTimes.runnableTasks(in: text) == tasks)
    }
}

@Suite("Core load")
struct CoreLoadTests {
    private func sample(_ time: Double, busy: Double, own: Double) -> CoreLoadMeter.Sample {
        CoreLoadMeter.Sample(time: time, processors: ProcessorTimes(cores: 4, busy: busy), own: own)
    }

    @Test("free are the cores that others did not use")
    func others() {
        let load = CoreLoadMeter.load(
            from: sample(10, busy: 100, own: 7), to: sample(12, busy: 105, own: 11), computed: 10)
        #expect(load == CoreLoad(freeCores: 3.5, seconds: 2))
    }

    @Test("another thread of the process counts as other work")
    func otherThreads() {
        let load = CoreLoadMeter.load(
            from: sample(0, busy: 0, own: 0), to: sample(1, busy: 3, own: 3), computed: 1)
        #expect(load == CoreLoad(freeCores: 2, seconds: 1))
    }

    @Test("clocks that disagree give no negative load, and cores that came or went no load at all")
    func odd() {
        let first = sample(0, busy: 5, own: 0)
        #expect(CoreLoadMeter.load(from: first, to: sample(1, busy: 6, own: 2), computed: 4)?.freeCores == 4)
        #expect(CoreLoadMeter.load(from: first, to: sample(0, busy: 6, own: 2), computed: 4) == nil)
        var fewer = sample(1, busy: 6, own: 0)
        fewer.processors.cores = 2
        #expect(CoreLoadMeter.load(from: first, to: fewer, computed: 4) == nil)
    }

    @Test("this machine can be read")
    func current() {
        var meter = CoreLoadMeter(processors: UsableCores.current().processors)
        let load = meter.reading(after: 0)
        #expect(load.map { $0.freeCores <= Double(UsableCores.current().processors.count) } ?? true)
        #expect(meter.reading(after: 3600) == nil)
    }
}
