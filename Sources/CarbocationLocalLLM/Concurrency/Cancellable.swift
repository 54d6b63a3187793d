/// Waits for work that may take too long, or that takes no notice of being cancelled.
package enum Cancellable {
    /// What `body` gives, or nil when the time is over first.
    ///
    /// When the time is over, or the calling task is cancelled, `body` is cancelled and this returns without waiting for
    /// it.
    ///
    /// - Parameters:
    ///   - limit: How long `body` may take.
    ///   - clock: Measures it.
    ///   - body: The work, which runs in a task of its own.
    /// - Returns: The value, or nil.
    /// - Throws: What `body` throws; `CancellationError` when the calling task is cancelled.
    package static func value<Value: Sendable>(
        within limit: Duration, clock: any Clock<Duration>, of body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let outcome = OneShot<Result<Value, any Error>?>()
        let timer = Task {
            guard (try? await clock.sleep(for: min(limit, .longestPause))) != nil else { return }
            outcome.resolve(nil)
        }
        defer { timer.cancel() }
        return try await first(of: outcome, body)
    }

    /// What `body` gives, with no limit of time.
    package static func value<Value: Sendable>(
        of body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let value = try await first(of: OneShot(), body) else { throw CancellationError() }
        return value
    }

    private static func first<Value: Sendable>(
        of outcome: OneShot<Result<Value, any Error>?>, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try Task.checkCancellation()
        let work = Task {
            do {
                outcome.resolve(.success(try await body()))
            } catch {
                outcome.resolve(.failure(error))
            }
        }
        defer { work.cancel() }
        return try await withTaskCancellationHandler {
            try await outcome.value()?.get()
        } onCancel: {
            outcome.resolve(.failure(CancellationError()))
        }
    }
}
