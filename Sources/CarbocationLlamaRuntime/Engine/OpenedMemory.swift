import CarbocationLocalLLM

/// The weights and contexts that were opened on the way to a loaded model.
///
/// A load that fails late lets go of them without anybody to own their end; whoever loads next can wait for it here.
final class OpenedMemory: Sendable {
    private struct Opened {
        var contexts: [OneShot<Void>] = []
        var weights: [ModelRelease.Weights] = []
    }

    private let opened = Locked(Opened())

    /// Notes weights as soon as they are there; others may use them, too.
    func note(_ model: NativeModel) {
        opened.withLock { $0.weights.append(ModelRelease.Weights(model)) }
    }

    /// Notes a context by what is set when it is freed.
    func note(context freed: OneShot<Void>) {
        opened.withLock { $0.contexts.append(freed) }
    }

    /// The end of all that was noted so far.
    var release: ModelRelease {
        opened.withLock { ModelRelease(contexts: $0.contexts, weights: $0.weights) }
    }
}
