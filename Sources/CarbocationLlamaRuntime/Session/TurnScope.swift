import CarbocationLocalLLM

/// Marks tasks that work inside a turn of a session, which would wait for themselves if they called it.
final class TurnScope: Sendable {
    /// Turns may run inside those of other sessions.
    @TaskLocal private static var enclosing: [TurnScope] = []

    private let session: ObjectIdentifier
    /// Tasks that a turn started may go on after it.
    private let isOver = Locked(false)

    private init(_ session: LlamaSession) {
        self.session = ObjectIdentifier(session)
    }

    /// Whether this task belongs to a turn of `session` that is not over.
    static func isInside(_ session: LlamaSession) -> Bool {
        enclosing.contains { $0.session == ObjectIdentifier(session) && !$0.isOver.withLock { $0 } }
    }

    /// Runs `body` as a turn of `session`.
    static func run<Value: Sendable>(
        in session: LlamaSession, _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        let scope = TurnScope(session)
        defer { scope.isOver.withLock { $0 = true } }
        return try await $enclosing.withValue(enclosing + [scope], operation: body)
    }
}
