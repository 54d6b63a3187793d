/// Drafts with the prediction layers of the model itself, which read along with it.
final class PredictionDrafter: Drafter {
    let isCostly = true
    private let context: NativeContext

    init(context: NativeContext) {
        self.context = context
    }

    func outlook(after tokens: [Token]) -> DraftOutlook? {
        DraftOutlook(kind: .prediction, count: SpeculationMethod.mostDraftTokens)
    }

    func draft(after tokens: [Token], count: Int, in sequence: Int32) -> [Token] {
        guard let last = tokens.last else { return [] }
        return context.predict(after: last, at: tokens.count - 1, in: sequence, count: count)
    }

    func accept(_ count: Int, in sequence: Int32) {
        context.acceptPredictions(count, in: sequence)
    }
}
