import CarbocationLocalLLM
import Foundation
import Observation

// snippet.answer
/// An answer as it is shown while it is written.
@MainActor
@Observable
final class Answer {
    private(set) var thinking = ""
    private(set) var text = ""
    private(set) var state = State.writing

    enum State: Equatable {
        case writing, complete(LLMStopReason), stopped, failed(String)
    }

    func show(_ event: LLMGenerationStreamEvent) {
        switch event {
        case .contentDelta(.thinking, let piece, _): thinking += piece
        case .contentDelta(.final, let piece, _): text += piece
        case .contentSnapshot(.thinking, let whole, _, _): thinking = whole
        case .contentSnapshot(.final, let whole, _, _): text = whole
        case .completed(let result): state = .complete(result.stopReason)
        default: break
        }
    }

    func end(with error: any Error) {
        state = error is CancellationError ? .stopped : .failed(error.localizedDescription)
    }
}
// snippet.end
