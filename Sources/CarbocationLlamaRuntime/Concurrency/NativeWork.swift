import CarbocationLocalLLM
import Dispatch

/// Runs blocking native calls on threads of their own, never on the cooperative pool.
struct NativeWork: Sendable {
    private let queue: DispatchQueue

    /// Runs all work at the same time, or one piece after the other in the order of arrival.
    init(isSerial: Bool = false) {
        queue = DispatchQueue(
            label: "LlamaNativeWork", qos: .userInitiated, attributes: isSerial ? [] : .concurrent)
    }

    /// Runs `body` and waits for it without blocking.
    ///
    /// `body` gets a signal that tells whether the caller was cancelled, and should end soon after. When that was before
    /// this call, the signal is set from the beginning.
    func run<Value: Sendable>(_ body: @escaping @Sendable (CancellationSignal) throws -> Value) async throws -> Value {
        let signal = CancellationSignal()
        let outcome = OneShot<Result<Value, any Error>>()
        return try await withTaskCancellationHandler {
            start(body, signal, outcome)
            return try await outcome.value().get()
        } onCancel: {
            signal.set()
        }
    }

    /// Runs `body`; a cancelled caller goes on at once, and what `body` still does has no effect.
    ///
    /// For work that cannot be interrupted and holds nothing that the caller waits for.
    func runAbandoning<Value: Sendable>(
        _ body: @escaping @Sendable (CancellationSignal) throws -> Value
    ) async throws -> Value {
        let signal = CancellationSignal()
        let outcome = OneShot<Result<Value, any Error>>()
        return try await withTaskCancellationHandler {
            start(body, signal, outcome)
            return try await outcome.value().get()
        } onCancel: {
            signal.set()
            outcome.resolve(.failure(CancellationError()))
        }
    }

    /// Runs `body` without waiting for it.
    func start(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    // Called within the handler of cancellation, which sets the signal first when the task was cancelled before.
    private func start<Value: Sendable>(
        _ body: @escaping @Sendable (CancellationSignal) throws -> Value, _ signal: CancellationSignal,
        _ outcome: OneShot<Result<Value, any Error>>
    ) {
        queue.async { outcome.resolve(Result { try body(signal) }) }
    }
}

/// Whether the task that started some native work was cancelled.
///
/// Set once, read from any thread.
final class CancellationSignal: Sendable {
    private struct State {
        var isSet = false
        var interruption: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    var isSet: Bool { state.withLock { $0.isSet } }

    func set() {
        let interruption = state.withLock { state in
            state.isSet = true
            return state.interruption
        }
        interruption?()
    }

    /// Throws `CancellationError` once the signal is set.
    func check() throws {
        if isSet { throw CancellationError() }
    }

    /// Runs `body`, which `interrupt` ends early when the signal is set in the meantime; one of them at a time.
    ///
    /// Throws `CancellationError` when the signal is set before, and what `body` throws.
    func interruptible<Value>(
        by interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Value
    ) throws -> Value {
        try state.withLock { state in
            guard !state.isSet else { throw CancellationError() }
            state.interruption = interrupt
        }
        defer { state.withLock { $0.interruption = nil } }
        return try body()
    }
}
