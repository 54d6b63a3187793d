/// Speculation with one loaded model: where drafts come from, and what they take.
struct Speculation: Sendable {
    /// When drafts are used.
    enum Pacing: Sendable {
        /// When they are faster.
        case measured
        /// Always, whatever that takes.
        case always
    }

    /// Most tokens of one draft.
    let draftLimit: Int
    let pacing: Pacing
    /// Where drafts are computed, if that is a context of its own; aborted with the model's.
    let draftContext: (any DecodingContext)?
    /// A drafter for one job.
    let makeDrafter: @Sendable () -> any Drafter
    /// Seconds from any point on.
    let now: @Sendable () -> Double
    var meter = SpeculationMeter()

    init(
        draftLimit: Int, pacing: Pacing = .measured, draftContext: (any DecodingContext)? = nil,
        now: @escaping @Sendable () -> Double,
        makeDrafter: @escaping @Sendable () -> any Drafter
    ) {
        self.draftLimit = draftLimit
        self.pacing = pacing
        self.draftContext = draftContext
        self.now = now
        self.makeDrafter = makeDrafter
    }
}
