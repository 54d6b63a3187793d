import CarbocationLocalLLM

/// Decides what a signal stops: a part of a command that asked for it, else the whole command.
final class InterruptionRouter: Sendable {
    private struct State {
        var part: (@Sendable () -> Void)?
        var whole: @Sendable () -> Void = {}
        var received: Interruption?
    }

    private let state = Locked(State())
    /// Lets a further signal come here instead of killing the process.
    private let rearm: @Sendable () -> Void

    init(rearm: @escaping @Sendable () -> Void) {
        self.rearm = rearm
    }

    /// The signal that stopped the whole command, if one did.
    var received: Interruption? { state.withLock(\.received) }

    /// Takes signals until there are no more; `stop` stops the whole command.
    func watch(_ signals: AsyncStream<Interruption>, stop: @escaping @Sendable () -> Void) async {
        state.withLock { $0.whole = stop }
        for await signal in signals { receive(signal) }
    }

    /// Runs a part of the command which the first interrupt stops alone, by cancelling its task.
    ///
    /// A second interrupt and every other signal stop the whole command. The body must tell by its value whether it was
    /// cancelled.
    func stoppable<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let part = Task { await body() }
        state.withLock { $0.part = { part.cancel() } }
        defer { state.withLock { $0.part = nil } }
        return await withTaskCancellationHandler {
            await part.value
        } onCancel: {
            part.cancel()
        }
    }

    private func receive(_ signal: Interruption) {
        let (part, whole) = state.withLock { state in
            let part = signal == .interrupt ? state.part : nil
            if part == nil { state.received = signal }
            state.part = nil
            return (part, state.whole)
        }
        guard let part else { return whole() }
        rearm()
        part()
    }
}
