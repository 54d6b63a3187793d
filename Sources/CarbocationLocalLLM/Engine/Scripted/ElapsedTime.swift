package import Foundation

/// The time since a moment, on any clock.
package struct ElapsedTime: Sendable {
    private let measure: @Sendable () -> Duration

    /// Starts now.
    package init(on clock: any Clock<Duration>) {
        measure = Self.meter(on: clock)
    }

    /// What has passed, in seconds.
    package var seconds: TimeInterval { measure().inSeconds }

    private static func meter(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
