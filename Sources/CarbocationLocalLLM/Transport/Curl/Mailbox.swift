import Foundation

/// Holds one message from one thread to another.
// `@unchecked` because the compiler cannot see that every access to the state holds the condition's lock.
final class Mailbox<Message: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var message: Message?
    private var closed = false

    /// Whether no more messages are to come.
    var isClosed: Bool {
        condition.lock()
        defer { condition.unlock() }
        return closed
    }

    func put(_ message: Message) {
        condition.lock()
        defer { condition.unlock() }
        self.message = message
        condition.signal()
    }

    /// Lets the waiting thread go on without a message.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        closed = true
        condition.signal()
    }

    /// The message as soon as there is one; nil when the time is over or the mailbox closed without one.
    func take(waiting time: TimeInterval) -> Message? {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: time)
        while message == nil, !closed, condition.wait(until: deadline) {}
        defer { message = nil }
        return message
    }
}
