import Foundation

/// The time since a moment, on any clock.
struct ElapsedTime: Sendable {
    private let measure: @Sendable () -> Duration

    /// Starts now.
    init(on clock: any Clock<Duration>) {
        measure = Self.meter(on: clock)
    }

    var seconds: TimeInterval { measure().inSeconds }

    private static func meter(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
