import TestSupport

@testable import CarbocationLlamaRuntime

/// Jobs on a machine and with drafts of which everything is known, so that every token's delay is.
struct SimulatedDrafting {
    /// Seconds of a step with so many tokens, in units of a step with one.
    var cost: (Int) -> Double
    /// Whether the next drafted token is right, by the tokens generated so far.
    var accepts: (Int, inout SeededGenerator) -> Bool
    var kind = DraftOutlook.Kind.longMatch
    /// Seconds for a drafted token, in the same units.
    var draftCost = 0.0
    /// How many times as long the first step of each size takes.
    var firstFactor = 1.0
    private var sizes: Set<Int> = []
    /// The part of a step's time that it may vary by.
    var noise = 0.06
    var limit = 16

    private let drafter = SimulatedDrafter()
    private(set) var meter = SpeculationMeter()
    private(set) var run: SpeculationRun
    private var losses = LossWindow()
    private var generator: SeededGenerator
    /// Seconds of all tokens, in order; those that came together share them.
    private(set) var seconds: [Double] = []

    init(
        seed: UInt64, draftCost: Double = 0, cost: @escaping (Int) -> Double,
        accepts: @escaping (Int, inout SeededGenerator) -> Bool
    ) {
        self.cost = cost
        self.accepts = accepts
        self.draftCost = draftCost
        generator = SeededGenerator(seed: seed)
        drafter.isCostly = draftCost > 0
        run = SpeculationRun(drafter: drafter)
    }

    /// Another job with the same model.
    mutating func beginRun() {
        run = SpeculationRun(drafter: drafter)
        losses = LossWindow()
    }

    mutating func generate(_ count: Int) {
        let end = seconds.count + count
        while seconds.count < end { step() }
    }

    private mutating func step() {
        let size = draftSize()
        var accepted = 0
        while accepted < size, accepts(seconds.count + accepted, &generator) { accepted += 1 }
        var computing = cost(size + 1) * (1 + noise * Double.random(in: -1...1, using: &generator))
        if sizes.insert(size).inserted { computing *= firstFactor }
        let drafting = Double(size) * draftCost
        let plain = meter.plainTime(sequences: 1)
        meter.note(
            MeasuredStep(
                sequences: 1, drafted: size, generated: accepted + 1, seconds: computing, draftSeconds: drafting))
        if size > 0 { run.note(kind, drafted: size, accepted: accepted) }
        if let plain {
            let loss = size == 0 ? 0 : (computing + drafting) / plain - Double(accepted + 1)
            losses.note(tokens: accepted + 1, loss: loss)
            if size > 0, run.noteLoss(loss) { stop() }
        }
        seconds += Array(repeating: (computing + drafting) / Double(accepted + 1), count: accepted + 1)
    }

    private mutating func draftSize() -> Int {
        guard !run.tally.isStopped, meter.isOpen(sequences: 1) else { return 0 }
        let size = meter.choice(
            for: limit, probability: run.probability(of: kind), isCostly: draftCost > 0,
            in: PlannedStep(sequences: 1, worstLoss: losses.worst))
        if run.noteOffer(isTaken: size > 0) { stop() }
        return size
    }

    private mutating func stop() {
        run.stop()
        meter.stopDrafting()
    }

    /// The seconds of the slowest 256 tokens in a row, in units of as many steps with one token.
    var slowestWindow: Double {
        let length = LossWindow.length
        var sum = seconds.prefix(length).reduce(0, +)
        var slowest = sum
        for index in length..<max(length, seconds.count) {
            sum += seconds[index] - seconds[index - length]
            slowest = max(slowest, sum)
        }
        return slowest / (Double(length) * cost(1))
    }

    /// The mean of all tokens, in the same units.
    var mean: Double { seconds.reduce(0, +) / Double(seconds.count) / cost(1) }
}

// `@unchecked` because each test drives it from one thread.
final class SimulatedDrafter: Drafter, @unchecked Sendable {
    var isCostly = false

    func outlook(after tokens: [Token]) -> DraftOutlook? { nil }
    func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token] { [] }
}
