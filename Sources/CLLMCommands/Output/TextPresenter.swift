import CarbocationLocalLLM

/// Writes the answer to the output and the thinking to stderr, piece by piece.
struct TextPresenter: AnswerPresenting {
    private let output: any ByteWriting
    private let thinkingOutput: DiagnosticWriter?
    private var answer: [UInt8] = []
    private var thinkingLineIsOpen = false

    /// - Parameters:
    ///   - output: gets exactly the answer, and a newline if it does not end with one.
    ///   - thinkingOutput: gets the thinking, nil to leave it out.
    init(output: any ByteWriting, thinkingOutput: DiagnosticWriter?) {
        self.output = output
        self.thinkingOutput = thinkingOutput
    }

    mutating func show(_ event: LLMGenerationStreamEvent) throws {
        switch event {
        case .contentDelta(.final, let text, _): try append(Array(text.utf8))
        case .contentDelta(.thinking, let text, _): think(text)
        case .contentSnapshot(.final, let text, _, _): try replace(with: Array(text.utf8))
        case .phaseChanged(from: .thinking, _): endThinkingLine()
        case .completed(let result): try replace(with: Array(result.finalText.utf8))
        default: break
        }
    }

    mutating func finish() throws {
        endThinkingLine()
        if let last = answer.last, last != UInt8(ascii: "\n") { try append([UInt8(ascii: "\n")]) }
    }

    mutating func fail(_ report: FailureReport) throws {
        try finish()
    }

    private mutating func append(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        endThinkingLine()
        try output.write(bytes)
        answer += bytes
    }

    /// Makes the shown answer equal to `bytes`; what cannot be taken back is followed by the answer on a new line.
    private mutating func replace(with bytes: [UInt8]) throws {
        if bytes.starts(with: answer) { return try append(Array(bytes.dropFirst(answer.count))) }
        try finish()
        answer = []
        try append(bytes)
    }

    private mutating func think(_ text: String) {
        guard let thinkingOutput, let last = text.utf8.last else { return }
        thinkingOutput.text(text)
        thinkingLineIsOpen = last != UInt8(ascii: "\n")
    }

    private mutating func endThinkingLine() {
        if thinkingLineIsOpen { thinkingOutput?.text("\n") }
        thinkingLineIsOpen = false
    }
}
