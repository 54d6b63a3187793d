import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("What drafts cost and gain (SP-3)")
struct SpeculationMeterTests {
    typealias Acceptance = @Sendable (Int, inout SeededGenerator) -> Bool

    /// Tokens that are right with a fixed probability.
    private static func constant(_ probability: Double) -> Acceptance {
        { _, generator in Double.random(in: 0..<1, using: &generator) < probability }
    }

    /// Right for a while, then wrong for a while.
    private static func treacherous(_ period: Int) -> Acceptance {
        { count, _ in count / period % 2 == 0 }
    }

    /// Seconds by tokens of a step; the first is 1.
    static let machines: [@Sendable (Int) -> Double] = [
        { 1 + 0.02 * Double($0 - 1) },
        { 0.6 + 0.4 * Double($0) },
        { Double($0) },
        { $0 == 1 ? 1 : 0.3 + Double($0) },
        { $0 < 5 ? 1 + 0.05 * Double($0 - 1) : 0.42 * Double($0) },
        { $0 == 1 ? 1 : 2.2 },
    ]
    static let acceptances = [
        constant(0), constant(0.3), constant(0.6), constant(0.9), constant(1), treacherous(16), treacherous(100),
        treacherous(700),
    ]

    @Test("never more than 3 % slower over 256 tokens, whatever the machine and the text", arguments: 0..<6, 0..<8)
    func bound(machine: Int, acceptance: Int) {
        for draftCost in [0, 0.08, 0.4] {
            for seed in 0..<2 {
                var drafting = SimulatedDrafting(
                    seed: UInt64(seed), draftCost: draftCost, cost: Self.machines[machine],
                    accepts: Self.acceptances[acceptance])
                for _ in 0..<2 {
                    drafting.beginRun()
                    drafting.generate(800)
                }
                #expect(drafting.slowestWindow <= 1.03, "machine \(machine), draft \(draftCost), seed \(seed)")
            }
        }
    }

    @Test("where tokens beside others are cheap and drafts are right, most of the gain is taken")
    func gain() {
        var copying = SimulatedDrafting(seed: 1, cost: Self.machines[0], accepts: Self.constant(0.95))
        copying.generate(1000)
        #expect(copying.mean < 0.25)
        var linear = SimulatedDrafting(seed: 1, cost: Self.machines[1], accepts: Self.constant(0.95))
        linear.generate(1000)
        #expect(linear.mean < 0.75)
        var predicting = SimulatedDrafting(
            seed: 1, draftCost: 0.08, cost: Self.machines[0], accepts: Self.constant(0.8))
        predicting.generate(1000)
        #expect(predicting.mean < 0.55)
        #expect(!predicting.run.tally.isStopped)
    }

    @Test("a first step of a size that takes long does not hide what the next ones take", arguments: 0..<6)
    func slowBeginning(seed: Int) {
        var drafting = SimulatedDrafting(
            seed: UInt64(seed), cost: { 0.75 + 0.25 * Double($0) }, accepts: Self.constant(0.97))
        drafting.firstFactor = 2
        drafting.generate(400)
        #expect(drafting.mean < 0.6)
        #expect(drafting.slowestWindow < 1.03)
    }

    @Test("the first 16 tokens of a model have no drafts, those of its later runs have")
    func beginning() {
        var drafting = SimulatedDrafting(seed: 1, cost: Self.machines[0], accepts: Self.constant(1))
        drafting.generate(16)
        #expect(drafting.run.tally.calls == 0)
        drafting.generate(8)
        #expect(drafting.run.tally.calls > 0)
        drafting.beginRun()
        drafting.generate(1)
        #expect(drafting.run.tally.calls == 1)
    }

    @Test("a drafter that costs more than it gives ends, and is tried again after 512 tokens at the earliest")
    func stopping() {
        var drafting = SimulatedDrafting(
            seed: 1, draftCost: 0.5, cost: Self.machines[2], accepts: Self.constant(0.1))
        drafting.kind = .prediction
        drafting.generate(300)
        #expect(drafting.run.tally.isStopped)
        #expect(drafting.meter.isPaused)
        let calls = drafting.run.tally.calls
        drafting.generate(1000)
        #expect(drafting.run.tally.calls == calls)
        #expect(!drafting.meter.isPaused)
        drafting.beginRun()
        drafting.generate(100)
        #expect(drafting.run.tally.calls > 0)
    }

    @Test("64 steps with drafts that were slower in all end the drafts of a job")
    func judged() {
        var run = SpeculationRun(drafter: SimulatedDrafter())
        let judgements = (0..<64).map { _ in run.noteLoss(0.1) }
        #expect(judgements == Array(repeating: false, count: 63) + [true])
        var even = SpeculationRun(drafter: SimulatedDrafter())
        let evenJudgements = (0..<300).map { even.noteLoss($0 % 2 == 0 ? -0.2 : 0.1) }
        #expect(!evenJudgements.contains(true))
    }

    @Test("plain steps are measured again now and then")
    func refresh() {
        var meter = SpeculationMeter()
        let plain = MeasuredStep(sequences: 1, drafted: 0, generated: 1, seconds: 1, draftSeconds: 0)
        let drafted = MeasuredStep(sequences: 1, drafted: 4, generated: 5, seconds: 1.1, draftSeconds: 0)
        for _ in 0..<16 { meter.note(plain) }
        for _ in 0..<32 {
            #expect(meter.isOpen(sequences: 1))
            meter.note(drafted)
        }
        #expect(!meter.isOpen(sequences: 1))
        meter.note(plain)
        #expect(!meter.isOpen(sequences: 1))
        meter.note(plain)
        #expect(meter.isOpen(sequences: 1))
        #expect(!meter.isOpen(sequences: 2))
    }

    @Test("times that are no numbers are not learnt from")
    func hostileTimes() {
        var meter = SpeculationMeter()
        for seconds in [Double.nan, .infinity, -1, 0] {
            for _ in 0..<32 {
                meter.note(
                    MeasuredStep(sequences: 1, drafted: 0, generated: 1, seconds: seconds, draftSeconds: 0))
            }
        }
        #expect(meter.plainTime(sequences: 1) == nil)
    }
}
