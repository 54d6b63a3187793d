package import Foundation

/// The `Retry-After` header.
package enum RetryAfter {
    /// The seconds to wait from `now` on, never fewer than 0; nil if the value is neither a number nor a date.
    package static func seconds(in value: String, now: Date = Date()) -> TimeInterval? {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than a number can have are a long time all the same.
            return TimeInterval(text)
        }
        return HTTPDate.parse(text, now: now).map { max(0, $0.timeIntervalSince(now)) }
    }
}
