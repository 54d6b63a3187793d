/// Speculation for one job: its drafter, and how its drafts fared.
struct SpeculationRun: Sendable {
    /// Steps with drafts that are judged together.
    static let judgedSteps = 64
    /// How often in a row a drafter that costs time may promise too little before it is not asked any more.
    static let patience = 16

    let drafter: any Drafter
    private(set) var tally = DraftTally()
    private var acceptance = AcceptanceEstimate()
    /// Of the latest steps with drafts: by how many plain tokens each was late.
    private var losses: [Double] = []
    private var refusals = 0

    init(drafter: any Drafter) {
        self.drafter = drafter
    }

    func probability(of kind: DraftOutlook.Kind) -> Double {
        acceptance.probability(of: kind)
    }

    /// Takes whether a draft was promising; true when the drafter is given up over that.
    mutating func noteOffer(isTaken: Bool) -> Bool {
        refusals = isTaken || !drafter.isCostly ? 0 : refusals + 1
        return refusals >= Self.patience
    }

    /// Takes what became of a draft.
    mutating func note(_ kind: DraftOutlook.Kind, drafted: Int, accepted: Int) {
        tally.calls += 1
        tally.drafted += drafted
        tally.accepted += accepted
        acceptance.note(kind, drafted: drafted, accepted: accepted)
    }

    /// Takes by how many plain tokens a step with a draft was late; true when the latest ones were slower in all.
    mutating func noteLoss(_ loss: Double) -> Bool {
        if losses.count == Self.judgedSteps { losses.removeFirst() }
        losses.append(loss)
        return losses.count == Self.judgedSteps && losses.reduce(0, +) > 0
    }

    /// No further drafts for this job.
    mutating func stop() {
        tally.isStopped = true
    }
}
