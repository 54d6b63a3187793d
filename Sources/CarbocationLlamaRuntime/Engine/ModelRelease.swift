import CarbocationLocalLLM

/// The end of all that a loaded model keeps in memory.
struct ModelRelease: Sendable {
    /// Weights that others may use, too.
    struct Weights: Sendable {
        private(set) weak var model: NativeModel?
        let freed: OneShot<Void>

        init(_ model: NativeModel) {
            self.model = model
            freed = model.freed
        }
    }

    private let contexts: [OneShot<Void>]
    let weights: [Weights]

    /// What ends in this order: what `contexts` stand for, and then weights that nobody else uses.
    init(contexts: [OneShot<Void>], models: [NativeModel]) {
        self.init(contexts: contexts, weights: models.map(Weights.init))
    }

    init(contexts: [OneShot<Void>], weights: [Weights]) {
        self.contexts = contexts
        self.weights = weights
    }

    /// Returns when the contexts and, unless others use them, the weights are freed.
    func finished() async {
        for context in contexts { await context.value() }
        // Whoever has let go of its context has let go of the weights before.
        for weights in weights where weights.model == nil { await weights.freed.value() }
    }
}
