/// How long to wait before a request is tried again.
///
/// ```swift
/// let schedule = RetrySchedule()
/// let wait = schedule.delay(beforeRetry: 3, retryAfter: nil, using: &generator)  // 3 to 4 seconds
/// ```
package struct RetrySchedule: Sendable, Hashable {
    /// Seconds before the first retry; each further wait is twice as long.
    package var first: Double

    /// The most seconds to wait of one's own accord.
    package var longest: Double

    /// The most seconds to wait because the server says so.
    package var longestAsked: Double

    package init(first: Double = 1, longest: Double = 60, longestAsked: Double = 120) {
        self.first = first
        self.longest = longest
        self.longestAsked = longestAsked
    }

    /// The wait before a retry.
    ///
    /// - Parameters:
    ///   - retry: 1 for the first one.
    ///   - retryAfter: The seconds that the server asked for; they replace the schedule's own.
    ///   - generator: Takes up to a quarter off, so that clients that failed together do not come back together.
    /// - Returns: How long to wait.
    package func delay(
        beforeRetry retry: Int, retryAfter: Double? = nil, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if let retryAfter { return .seconds(retryAfter > 0 ? min(retryAfter, longestAsked) : 0) }
        let doublings = min(max(retry, 1) - 1, 62)
        let nominal = min(first * Double(UInt64(1) << UInt64(doublings)), longest)
        // Not `Double.random`, which draws again and again from a generator that repeats itself.
        let fraction = Double(generator.next() >> 11) * 0x1p-53
        return .seconds(nominal * (0.75 + 0.25 * fraction))
    }

    /// Whether a status promises that the same request may succeed later.
    package static func isTransient(status: Int) -> Bool {
        switch status {
        case 408, 425, 429: true
        case 501, 505: false
        default: (500..<600).contains(status)
        }
    }
}
