import Foundation

/// Time as downloads see it.
struct DownloadClock: Sendable {
    /// The time since some moment in the past.
    var now: @Sendable () -> Duration
    /// Waits, or throws `CancellationError`.
    var sleep: @Sendable (Duration) async throws -> Void
    /// The calendar's time, to compare with dates from servers.
    var date: @Sendable () -> Date

    init<Base: Clock>(
        _ clock: Base, date: @escaping @Sendable () -> Date = { Date() }
    ) where Base.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
        self.date = date
    }

    static let live = DownloadClock(ContinuousClock())
}
