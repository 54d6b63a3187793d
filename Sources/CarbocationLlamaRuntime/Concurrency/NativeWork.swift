import CarbocationLocalLLM
import Dispatch

/// Runs blocking native calls on threads of their own, never on the cooperative pool.
struct NativeWork: Sendable {
    private let queue = DispatchQueue(label: "LlamaNativeWork", qos: .userInitiated, attributes: .concurrent)

    /// Runs `body` and waits without blocking.
    ///
    /// `body` gets a signal that tells whether the caller was cancelled.
    func run<Value: Sendable>(_ body: @escaping @Sendable (CancellationSignal) throws -> Value) async throws -> Value {
        let signal = CancellationSignal()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try body(signal) }) }
            }
        } onCancel: {
            signal.set()
        }
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
