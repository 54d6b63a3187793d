import CarbocationLocalLLM

/// Writes the answer to the output, and thinking and calls of tools to stderr, piece by piece.
struct TextPresenter: AnswerPresenting {
    private let output: any ByteWriting
    private let asides: DiagnosticWriter?
    private var answer: [UInt8] = []
    private var thinkingLineIsOpen = false
    /// Whether a call stands between the thinking before and what follows, so that no line break is needed.
    private var thinkingIsSeparated = false

    /// - Parameters:
    ///   - output: gets exactly the answer, and a newline if it does not end with one.
    ///   - asides: gets the thinking and the calls, nil to leave them out.
    init(output: any ByteWriting, asides: DiagnosticWriter?) {
        self.output = output
        self.asides = asides
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

    mutating func show(_ event: LLMToolGenerationStreamEvent) throws {
        let line = ToolLine(event)
        switch event {
        // What a single reply amounts to is not yet the answer.
        case .generationEvent(.completed): break
        case .generationEvent(let event): try show(event)
        case .completed(let result):
            try show(.completed(result.generation))
            if line != nil { try finish() }
        default: break
        }
        if let line { show(line) }
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

    private mutating func show(_ line: ToolLine) {
        endThinkingLine()
        // Both streams share the screen, where the line is not to stand behind a part of the answer.
        let continues = answer.last.map { $0 != UInt8(ascii: "\n") } ?? false
        if continues, output.isTerminal, asides?.isTerminal == true { asides?.text("\n") }
        asides?.text(line.text + "\n")
        thinkingIsSeparated = true
    }

    private mutating func think(_ text: String) {
        let text = thinkingIsSeparated && text.utf8.first == UInt8(ascii: "\n") ? String(text.dropFirst()) : text
        guard let asides, let last = text.utf8.last else { return }
        thinkingIsSeparated = false
        asides.text(text)
        thinkingLineIsOpen = last != UInt8(ascii: "\n")
    }

    private mutating func endThinkingLine() {
        if thinkingLineIsOpen { asides?.text("\n") }
        thinkingLineIsOpen = false
    }
}
