import Testing

@testable import CarbocationLlamaRuntime

/// The machines of the tests, by name.
struct NamedMachine: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var machine: SimulatedMachine

    init(_ name: String, cores: Int, _ change: (inout SimulatedMachine) -> Void = { _ in }) {
        testDescription = name
        machine = SimulatedMachine(cores: cores)
        change(&machine)
    }

    static let all = [
        NamedMachine("1 core", cores: 1), NamedMachine("2 cores", cores: 2),
        NamedMachine("2 noisy cores", cores: 2) { $0.noise = 0.12 },
        NamedMachine("2 cores, tiny model", cores: 2) { $0.work = 0.0008 },
        NamedMachine("4 cores, large model", cores: 4) { $0.work = 0.4 },
        NamedMachine("6 cores", cores: 6), NamedMachine("8 cores", cores: 8), NamedMachine("16 cores", cores: 16),
        NamedMachine("16 cores, bound by memory", cores: 16) { $0.memoryLimit = 5 },
        NamedMachine("64 cores", cores: 64),
        NamedMachine("8 fast and 8 slow cores", cores: 16) {
            $0.cores = Array(repeating: 1, count: 8) + Array(repeating: 0.4, count: 8)
        },
        NamedMachine("6 fast and 4 slow cores", cores: 10) {
            $0.cores = Array(repeating: 1, count: 6) + Array(repeating: 0.5, count: 4)
        },
    ]

    /// Those that tell nothing about their load.
    static let silent = all.map { named in
        var named = named
        named.machine.tellsLoad = false
        return named
    }
}

@Suite("Thread governor on simulated machines")
struct ThreadGovernorSimulationTests {
    @Test("an idle machine loses less than 5 % to the search", arguments: NamedMachine.all, [200, 2000])
    func idle(named: NamedMachine, steps: Int) {
        for seed in 1...3 as ClosedRange<UInt64> {
            var run = GovernedRun(named.machine, seed: seed)
            let seconds = run.run(steps)
            #expect(seconds <= named.machine.best().seconds * 1.05, "\(run.governor.choice), \(named.machine.best())")
        }
    }

    @Test("so does reading prompts", arguments: NamedMachine.all)
    func idlePrompts(named: NamedMachine) {
        var run = GovernedRun(named.machine)
        let seconds = run.run(500, kind: .prefill(tokens: 512))
        #expect(seconds <= named.machine.best().seconds * 1.05)
        #expect(run.governor.choice.decode == named.machine.cores.count)
    }

    @Test("a busy machine runs at 0.9 of the best fixed count or more", arguments: NamedMachine.all, [128, 1000])
    func busy(named: NamedMachine, steps: Int) {
        let cores = named.machine.cores.count
        for busy in [cores, 1, cores / 2] {
            var run = GovernedRun(named.machine, busyAtStart: busy)
            let seconds = run.run(steps, busy: busy)
            let best = named.machine.best(busy: busy)
            #expect(best.seconds / seconds >= 0.9, "\(busy) busy: \(run.governor.choice), \(best)")
        }
    }

    @Test(
        "threads that are run together beside busy programs are found, however rarely they stall",
        arguments: NamedMachine.all, [0, 0.002, 0.02])
    func together(named: NamedMachine, stallRate: Double) {
        var machine = named.machine
        machine.stallRate = stallRate
        let busy = machine.cores.count
        for seed in 1...3 as ClosedRange<UInt64> {
            var run = GovernedRun(machine, busyAtStart: busy, seed: seed)
            run.run(400, busy: busy)
            let best = machine.best(busy: busy)
            let seconds = run.run(3000, busy: busy)
            // The best number may lie between those that are tried.
            #expect(best.seconds / seconds >= 0.85, "\(run.governor.choice), \(best)")
        }
    }

    /// A run that has found more threads than there are free cores to be faster.
    private static func runBesideBusyPrograms() -> GovernedRun {
        var machine = SimulatedMachine(cores: 8)
        machine.stallRate = 0
        var run = GovernedRun(machine, busyAtStart: 8)
        run.run(2000, busy: 8)
        #expect(run.governor.choice.decode > 2)
        return run
    }

    @Test("a trial leaves more threads than the limit as soon as that falls")
    func limitOfTrials() {
        var run = Self.runBesideBusyPrograms()
        run.governor.setLimit(2)
        let before = run.counts.count
        run.run(200, busy: 8)
        #expect(run.counts.dropFirst(before).allSatisfy { $0 <= 2 })
    }

    @Test("the load counts again once steps of other work than a trial's run")
    func otherWork() {
        var run = Self.runBesideBusyPrograms()
        run.run(400, busy: 4, kind: .decode(sequences: 4))
        #expect(run.counts.suffix(100).allSatisfy { (3...8).contains($0) })
    }

    @Test("memory that cannot take a step back is never tried with more threads than there are cores")
    func unstoppable() {
        var run = GovernedRun(SimulatedMachine(cores: 2), busyAtStart: 2)
        run.mayStop = false
        run.run(2000, busy: 2)
        #expect(run.counts.allSatisfy { $0 == 1 })
    }

    @Test("a machine that tells no load, idle and busy", arguments: NamedMachine.silent)
    func silent(named: NamedMachine) {
        var idle = GovernedRun(named.machine)
        #expect(idle.run(6000) <= named.machine.best().seconds * 1.1)
        let busy = named.machine.cores.count
        var run = GovernedRun(named.machine, busyAtStart: busy)
        let best = named.machine.best(busy: busy)
        #expect(best.seconds / run.run(1000, busy: busy) >= 0.85)
    }

    @Test(
        "when load comes one step stalls, when it goes all threads are back within half a second",
        arguments: NamedMachine.all)
    func recovery(named: NamedMachine) {
        let cores = named.machine.cores.count
        var run = GovernedRun(named.machine)
        run.run(1000)
        let before = run.governor.choice.decode
        run.run(12, busy: cores)
        #expect(run.governor.choice == ThreadChoice(decode: 1, prefill: 1))
        run.run(500, busy: cores)
        // All but the attempts, each of which is stopped at once.
        #expect(run.counts.suffix(500).count { $0 != 1 } <= 8)
        let end = run.seconds
        while run.governor.choice.decode < before, run.seconds - end < 10 { run.run(1) }
        // A window of the load that began under load, one without, and a step.
        #expect(run.seconds - end <= 0.5 + 2 * named.machine.undisturbed(threads: 1))
    }

    @Test("load that comes and goes costs little more than the slower fixed count")
    func alternating() {
        let machine = SimulatedMachine(cores: 2)
        var run = GovernedRun(machine)
        var steps = 0
        while run.seconds < 120 {
            run.run(1, busy: Int(run.seconds / 0.4) % 2 * 2)
            steps += 1
        }
        let alone = machine.undisturbed(threads: 1) * 1.25
        #expect(120 / Double(steps) <= alone * 1.35)
    }

    @Test("never more threads than the limit, also when it changes", arguments: [1, 2, 3, 8, 64])
    func limit(limit: Int) {
        var run = GovernedRun(SimulatedMachine(cores: 64), limit: limit)
        run.run(2000)
        #expect(run.counts.allSatisfy { (1...limit).contains($0) })
        #expect(run.governor.choice.decode >= limit - limit / 16)
        run.governor.setLimit(5)
        let before = run.counts.count
        run.run(2000)
        #expect(run.counts.dropFirst(before).allSatisfy { (1...5).contains($0) })
        #expect(run.governor.choice.decode == 5)
    }

    @Test("a few probes, fewer and fewer while nothing changes")
    func probes() {
        var run = GovernedRun(SimulatedMachine(cores: 2))
        run.run(6000)
        let probes = run.counts.indices.filter { run.counts[$0] == 1 }
        #expect((1...30).contains(probes.count))
        #expect(probes.filter { $0 > 3000 }.count <= 3)
    }
}
