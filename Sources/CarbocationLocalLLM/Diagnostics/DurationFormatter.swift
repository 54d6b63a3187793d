public import Foundation

/// Writes durations for people.
public enum DurationFormatter {
    /// A duration in minutes and seconds, such as `59s` or `62m 5s`.
    ///
    /// - Parameter seconds: The duration, rounded to whole seconds; what is negative or not a number counts as 0.
    /// - Returns: The text, without minutes below one minute.
    public static func string(from seconds: TimeInterval) -> String {
        let total = Int(exactly: max(0, seconds.isNaN ? 0 : seconds).rounded()) ?? .max
        return total < 60 ? "\(total)s" : "\(total / 60)m \(total % 60)s"
    }
}
