import CarbocationLocalLLM

/// Tells about the calls of a reply, until the reply is over.
///
/// Tools may go on after that, but nobody is told.
final class ToolEvents: Sendable {
    private struct State {
        var isOver = false
        var started: Set<String> = []
        var answered: Set<String> = []
    }

    private let emit: ToolLoop.Emit
    // Events are sent under the lock, so that none follows the end.
    private let state = Locked(State())

    /// - Parameter emit: Receives the events.
    init(emit: @escaping ToolLoop.Emit) {
        self.emit = emit
    }

    /// A round begins.
    func begin(round: Int) {
        state.withLock { state in
            if !state.isOver { emit(.toolRoundStarted(round: round)) }
        }
    }

    /// A call runs, or has an output.
    func take(_ event: ToolCallRunner.Event) {
        state.withLock { state in
            guard !state.isOver else { return }
            switch event {
            case .started(let call): start(call, in: &state)
            case .answered(let output): answer(output, in: &state)
            }
        }
    }

    /// Ends the events, with what was not told yet about calls that have an output.
    func end(with outputs: [(call: LLMToolCall, output: LLMToolOutput)] = []) {
        state.withLock { state in
            guard !state.isOver else { return }
            for (call, output) in outputs {
                start(call, in: &state)
                answer(output, in: &state)
            }
            state.isOver = true
        }
    }

    private func start(_ call: LLMToolCall, in state: inout State) {
        if state.started.insert(call.id).inserted { emit(.toolCallStarted(call)) }
    }

    private func answer(_ output: LLMToolOutput, in state: inout State) {
        guard state.answered.insert(output.callID).inserted else { return }
        emit(output.isError ? .toolCallFailed(output) : .toolCallCompleted(output))
    }
}
