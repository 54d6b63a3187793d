import Foundation

/// How often one request, or one chunk, is tried again, and how long to wait before.
struct RetryBudget: Sendable {
    let environment: DownloadEnvironment
    let control: TransferControl
    let limit: Int
    private var failures = 0

    init(environment: DownloadEnvironment, control: TransferControl, limit: Int) {
        self.environment = environment
        self.control = control
        self.limit = limit
    }

    /// Waits until the next try may begin.
    ///
    /// - Returns: False when the workers should stop instead.
    /// - Throws: ``ModelDownloaderError/retriesExhausted(_:)`` when there is no next try, or `CancellationError`.
    mutating func spend(on failure: RetryableFailure) async throws -> Bool {
        failures += 1
        guard failures <= limit else { throw ModelDownloaderError.retriesExhausted(failure.reason) }
        let delay = environment.retryDelay(failures, failure.retryAfter)
        return try await control.wait(delay, clock: environment.clock)
    }
}
