/// Marks tasks that work inside a turn of a session, which would wait for themselves if they called it.
package final class TurnScope: Sendable {
    /// The turns that this task works inside of; they may run inside those of other sessions.
    @TaskLocal package static var enclosing: [TurnScope] = []

    private let session: ObjectIdentifier
    /// Tasks that a turn started may go on after it.
    private let isOver = Locked(false)

    private init(_ session: some Actor) {
        self.session = ObjectIdentifier(session)
    }

    /// Whether this task belongs to a turn of `session` that is not over.
    package static func isInside(_ session: some Actor) -> Bool {
        enclosing.contains { $0.session == ObjectIdentifier(session) && !$0.isOver.withLock { $0 } }
    }

    /// Runs `body` as a turn of `session`.
    package static func run<Value: Sendable>(
        in session: some Actor, _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        let scope = TurnScope(session)
        defer { scope.isOver.withLock { $0 = true } }
        return try await $enclosing.withValue(enclosing + [scope], operation: body)
    }

    /// Runs `body` inside of turns, in a task that was not started from there.
    package static func run<Value: Sendable>(
        inside scopes: [TurnScope], _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        try await $enclosing.withValue(scopes, operation: body)
    }
}
