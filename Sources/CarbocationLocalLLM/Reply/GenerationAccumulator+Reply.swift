extension GenerationAccumulator {
    /// Sends the events of what a ``ReplyReader`` gave.
    ///
    /// The raw text comes before its content, in the phase that the content begins in. Tool calls have no events here.
    package mutating func append(_ outputs: [ReplyOutput], emit: Emit) {
        var raw = ""
        for output in outputs {
            switch output {
            case .raw(let text):
                raw += text
                continue
            case .entered(let phase):
                enter(phase, emit: emit)
                continue
            default: break
            }
            appendRaw(raw, emit: emit)
            raw = ""
            append(output, emit: emit)
        }
        appendRaw(raw, emit: emit)
    }

    private mutating func append(_ output: ReplyOutput, emit: Emit) {
        switch output {
        case .content(let text, let phase): appendContent(text, to: phase, emit: emit)
        case .replaced(let text, let phase):
            replaceContent(of: phase, with: text, reason: .streamCorrection, emit: emit)
        case .segmentEnd: endSegment()
        case .raw, .entered, .answerBegan, .call, .rejected: break
        }
    }
}
