import Foundation

/// A value behind one lock, for state that must be reached without suspending.
///
/// The critical section is a synchronous closure, so a lock can never be held over a suspension point.
// `@unchecked` because the compiler cannot see that every access to `value` holds `lock`.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
