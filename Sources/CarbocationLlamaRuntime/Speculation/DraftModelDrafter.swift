/// Drafts what a ``DraftModel`` expects.
final class DraftModelDrafter: Drafter {
    let isCostly = true
    private let model: DraftModel
    private let job: UInt64

    init(model: DraftModel) {
        self.model = model
        job = model.newJob()
    }

    func outlook(after tokens: [Token]) -> DraftOutlook? {
        model.hasFailed ? nil : DraftOutlook(kind: .prediction, count: SpeculationMethod.mostDraftTokens)
    }

    func read(_ tokens: [Token], upTo count: Int, in sequence: Int32) -> Bool {
        model.read(tokens, upTo: count, job: job, in: sequence) == 0
    }

    func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token] {
        model.draft(after: tokens, count: count, job: job, in: sequence)
    }
}
