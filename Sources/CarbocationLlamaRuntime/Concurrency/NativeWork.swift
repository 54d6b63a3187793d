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
    /// `body` gets a signal that tells whether the caller was cancelled, and should end soon after.
    func run<Value: Sendable>(_ body: @escaping @Sendable (CancellationSignal) throws -> Value) async throws -> Value {
        let signal = CancellationSignal()
        let outcome = start(body, signal)
        return try await withTaskCancellationHandler {
            try await outcome.value().get()
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
        let outcome = start(body, signal)
        return try await withTaskCancellationHandler {
            try await outcome.value().get()
        } onCancel: {
            signal.set()
            outcome.resolve(.failure(CancellationError()))
        }
    }

    /// Runs `body` without waiting for it.
    func start(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    private func start<Value: Sendable>(
        _ body: @escaping @Sendable (CancellationSignal) throws -> Value, _ signal: CancellationSignal
    ) -> OneShot<Result<Value, any Error>> {
        let outcome = OneShot<Result<Value, any Error>>()
        queue.async { outcome.resolve(Result { try body(signal) }) }
        return outcome
    }
}

/// Whether the task that started some native work was cancelled.
///
/// Set once, read from any thread.
final class CancellationSignal: Sendable {
    private let state = Locked(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() {
        state.withLock { $0 = true }
    }

    /// Throws `CancellationError` once the signal is set.
    func check() throws {
        if isSet { throw CancellationError() }
    }
}
