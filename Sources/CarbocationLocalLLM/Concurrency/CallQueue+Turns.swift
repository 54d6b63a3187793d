// What sessions share that run their calls one after another, and whose turns run code of others, such as tools.

extension CallQueue.Place {
    /// Waits for the turn of a call to `session`.
    ///
    /// - Throws: ``LLMEngineError/invalidRequest(_:)`` for a call from inside a turn of the session; `CancellationError`
    ///   when the task is cancelled.
    package func wait(in session: some Actor) async throws {
        guard !TurnScope.isInside(session) else {
            throw LLMEngineError.invalidRequest(
                "The call comes from inside a turn of the same session, which it would wait for. "
                    + "Call once the turn is over.")
        }
        try await wait()
    }
}

extension CallQueue {
    /// Runs `body` once earlier calls are over, also in a task that was cancelled.
    ///
    /// From inside a turn of `session` it returns at once: that turn is one of the earlier calls.
    package func afterEarlierCalls<Session: Actor>(
        of session: Session, _ body: @escaping @Sendable (isolated Session) async -> Void
    ) async {
        let place = enter()
        let call = Task {
            defer { place.leave() }
            await place.waitToTheEnd()
            await body(session)
        }
        guard !TurnScope.isInside(session) else { return }
        await call.value
    }
}
