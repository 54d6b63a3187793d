import CarbocationLocalLLM

/// Makes a context, and a draft model's beside it where a load would, and computes with it.
struct ContextAttempt: Sendable {
    /// Different tokens that are computed.
    private static let distinctTokens = 64

    let trial: ContextTrial
    let configuration: LlamaEngineConfiguration
    let hasPredictionLayers: Bool
    let threads: Int
    /// Told each context, whose end is to be waited for.
    let opened: OpenedMemory
    let noteDraftModel: @Sendable (NativeModel) -> Void
    /// Told the context before anything is computed in it.
    var willCompute: @Sendable (NativeContext) -> Void = { _ in }

    /// Blocks; stops soon after `signal` is set.
    func run(with model: NativeModel, signal: CancellationSignal) throws -> ContextProbe {
        do {
            let drafts = SpeculationLoader(
                configuration, hasPredictionLayers: hasPredictionLayers, pacing: .measured)
            let context = try context(for: model, predictionTokens: drafts.predictionTokens, signal)
            let support = try drafts.support(context: context, threads: threads, opened: opened, signal: signal)
            if let draft = support.draftContext { noteDraftModel(draft.model) }
            willCompute(context)
            return try withExtendedLifetime(support) {
                try signal.interruptible(by: { context.requestAbort() }) { try compute(in: context) }
            }
        } catch LLMEngineError.contextInitFailed(let reason) {
            return .refused(reason)
        }
    }

    /// Without predictions when the model's layers for them cannot be used, as a load does.
    private func context(
        for model: NativeModel, predictionTokens: Int, _ signal: CancellationSignal
    ) throws -> NativeContext {
        let make = { (tokens: Int) in
            try signal.check()
            let settings = ContextSettings(
                configuration, contextSize: trial.contextSize, batchSize: trial.batchSize, threads: threads,
                predictionTokens: tokens)
            return try NativeContext(model: model, settings: settings, opened: opened, signal: signal)
        }
        guard predictionTokens > 0 else { return try make(0) }
        do {
            return try make(predictionTokens)
        } catch is LLMEngineError {
            return try make(0)
        } catch is UnsupportedContext {
            return try make(0)
        }
    }

    /// Computes a whole batch, or all but one token of a context that is smaller, and then one more token.
    private func compute(in context: NativeContext) throws -> ContextProbe {
        let ordinary = context.model.ordinaryTokens(limit: Self.distinctTokens)
        guard !ordinary.isEmpty else { return .failed("The vocabulary has no tokens of text.") }
        let count = max(1, min(trial.batchSize, trial.contextSize - 1))
        for range in [0..<count, count..<count + 1] {
            let batch = range.map { position in
                BatchEntry(
                    token: ordinary[position % ordinary.count], position: position, sequence: 0,
                    wantsLogits: position == range.upperBound - 1)
            }
            switch context.decode(batch) {
            case .decoded: continue
            case .aborted: throw CancellationError()
            case .full: return .failed("The KV cache has no room for \(range.upperBound) tokens.")
            case .failed(let reason): return .failed(reason)
            }
        }
        return .computed
    }
}
