import Foundation

/// A thread's worth of work that may block, one piece after another, away from the threads that tasks run on.
struct DiskQueue: Sendable {
    private let queue: DispatchQueue

    init(_ label: String) {
        queue = DispatchQueue(label: "CarbocationLocalLLM.download.\(label)", qos: .userInitiated)
    }

    /// Runs `body` after all that was submitted before, and waits for it.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Runs `body` after all that was submitted before, without waiting.
    func submit(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }
}
