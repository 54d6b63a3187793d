import CarbocationLocalLLM

/// The end of all that a loaded model keeps in memory.
struct ModelRelease: Sendable {
    private struct Weights {
        weak var model: NativeModel?
        let freed: OneShot<Void>
    }

    private let contexts: [OneShot<Void>]
    private let weights: [Weights]

    /// What ends in this order: what `contexts` stand for, and then weights that nobody else uses.
    init(contexts: [OneShot<Void>], models: [NativeModel]) {
        self.contexts = contexts
        weights = models.map { Weights(model: $0, freed: $0.freed) }
    }

    /// Returns when the contexts and, unless others use them, the weights are freed.
    func finished() async {
        for context in contexts { await context.value() }
        // Whoever has let go of its context has let go of the weights before.
        for weights in weights where weights.model == nil { await weights.freed.value() }
    }
}
