/// Where the turns of a ``ScriptedLLMEngine`` come from.
enum ScriptedTurns: Sendable {
    typealias Step = ScriptedLLMEngine.Step
    typealias Respond = @Sendable (LLMGenerationRequest) async throws -> [Step]

    /// What is left of a script, and what follows when nothing is.
    case script(ArraySlice<[Step]>, last: [Step]?)
    case responses(Respond)

    /// One turn.
    enum Turn: Sendable {
        case steps([Step])
        case response(Respond)

        /// What to do in answer to a request.
        func steps(for request: LLMGenerationRequest) async throws -> [Step] {
            switch self {
            case .steps(let steps): steps
            // A response need not look at cancellation for the generation to end with it.
            case .response(let respond): try await Cancellable.value { try await respond(request) }
            }
        }
    }

    var isUsedUp: Bool {
        if case .script(let turns, nil) = self { turns.isEmpty } else { false }
    }

    /// Takes the next turn; nil when the script is used up.
    mutating func next() -> Turn? {
        switch self {
        case .script(let turns, let last):
            self = .script(turns.dropFirst(), last: last)
            return (turns.first ?? last).map(Turn.steps)
        case .responses(let respond):
            return .response(respond)
        }
    }
}
