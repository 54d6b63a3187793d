package import Foundation

extension Duration {
    /// Longer than any process lives; clocks cannot add much more to a moment.
    package static let longestPause = Duration.seconds(1_000_000_000)

    /// The pause between things that are done every so many seconds.
    ///
    /// What cannot be waited for is limited: a pause is at least a millisecond, so that repeating something does not
    /// become all that is done, and at most ``longestPause``.
    ///
    /// - Parameter seconds: The interval.
    /// - Returns: The pause; nil for 0, less, infinity and what is no number.
    package static func pause(ofSeconds seconds: TimeInterval) -> Duration? {
        guard seconds.isFinite, seconds > 0 else { return nil }
        // Compared as a number: a duration of more seconds than it can hold is a trap.
        return seconds < 1_000_000_000 ? max(.seconds(seconds), .milliseconds(1)) : longestPause
    }
}
