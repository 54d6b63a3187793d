import CarbocationLocalLLM

/// A reply while it grows: whole texts in, events and the result out.
final class SystemReply: Sendable {
    typealias Emit = @Sendable (LLMGenerationStreamEvent) -> Void

    private struct State {
        var accumulator = GenerationAccumulator()
        var reader: ReplyReader
        /// The text that the reader was given.
        var text = ""
        /// The text of earlier parts of the reply, which later texts do not repeat.
        var earlierText = ""
        var hasSnapshot = false
        /// About the tokens of calls.
        var callTokens = 0
        /// How many times the text changed.
        var writings = 0
        /// Whether the last events were sent; what the system still gives then is too late.
        var isOver = false
    }

    private let format: ReplyFormat
    private let time: ElapsedTime
    private let emit: Emit
    private let state: Locked<State>

    /// Begins a reply, and announces the request.
    ///
    /// - Parameters:
    ///   - format: How the text becomes the answer.
    ///   - time: What has passed since the request.
    ///   - emit: Receives the events.
    init(_ format: ReplyFormat, time: ElapsedTime, emit: @escaping Emit) {
        self.format = format
        self.time = time
        self.emit = emit
        state = Locked(State(reader: ReplyReader(format)))
        state.withLock { $0.accumulator.begin(emit: emit) }
    }

    /// How many times the text changed so far.
    var writings: Int { state.withLock { $0.writings } }

    /// About the tokens so far.
    var generatedTokens: Int { state.withLock { $0.accumulator.generatedTokens } }

    /// Whether the answer is the text as the model wrote it.
    var isVerbatim: Bool {
        state.withLock { $0.reader.stopReason == nil && $0.accumulator.text(of: .final) == $0.text }
    }

    /// Takes the whole text so far and sends what it adds.
    ///
    /// - Parameter snapshot: The text of the current part.
    /// - Returns: Whether the reply goes on.
    func take(_ snapshot: String) -> Bool {
        state.withLock { state in
            guard !state.isOver, state.reader.stopReason == nil else { return false }
            let isFirst = !state.hasSnapshot
            state.hasSnapshot = true
            // Before any text there may be a null for it.
            if isFirst, snapshot == "null" { return true }
            let text = state.earlierText + snapshot
            if text.utf8.starts(with: state.text.utf8) {
                append(text, to: &state)
            } else {
                correct(to: text, in: &state)
            }
            return state.reader.stopReason == nil
        }
    }

    /// Counts a call, a sign of the model like text.
    func noteCall(_ call: LLMToolCall) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.callTokens += TokenEstimator.estimate(call.name + call.arguments.jsonString())
            countTokens(in: &state)
        }
    }

    /// Begins another part, whose texts follow that of the parts so far.
    func beginPart() {
        state.withLock { state in
            state.earlierText = state.text
            state.hasSnapshot = false
        }
    }

    /// Tells that there is no sign of the model yet, unless there is one or the reply is over.
    ///
    /// - Parameter message: What is told.
    /// - Returns: Whether it was told.
    func beat(_ message: String) -> Bool {
        // Sent under the lock, so that none follows the end of the reply.
        state.withLock { state in
            guard !state.isOver, state.accumulator.generatedTokens == 0 else { return false }
            emit(.diagnostic(message: message))
            return true
        }
    }

    /// Ends a success.
    ///
    /// - Parameter promptTokens: About the tokens of the prompt.
    /// - Returns: The result.
    /// - Throws: `LLMEngineError.decodeFailed` when there is none.
    func complete(promptTokens: Int) throws -> LLMGenerationResult {
        let ended = Locked<LLMGenerationResult?>(nil)
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            state.accumulator.append(state.reader.finish(), emit: emit)
            let summary = GenerationAccumulator.Summary(
                stopReason: state.reader.stopReason ?? .complete, promptTokens: promptTokens, duration: time.seconds)
            state.accumulator.complete(summary) { event in
                if case .completed(let result) = event { ended.withLock { $0 = result } }
                emit(event)
            }
        }
        guard let result = ended.withLock({ $0 }) else {
            throw LLMEngineError.decodeFailed("the generation ended without a result")
        }
        return result
    }

    /// Ends a failure: sends what was held, and statistics.
    func interrupt(promptTokens: Int, stopReason: LLMStopReason) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            if state.accumulator.generatedTokens > 0 { state.accumulator.append(state.reader.finish(), emit: emit) }
            state.accumulator.interrupt(promptTokens: promptTokens, stopReason: stopReason, emit: emit)
        }
    }

    // MARK: Texts

    private func append(_ text: String, to state: inout State) {
        let addition = Array(text.utf8.dropFirst(state.text.utf8.count))
        guard !addition.isEmpty else { return }
        state.text = text
        state.writings += 1
        countTokens(in: &state)
        state.accumulator.append(state.reader.push(addition), emit: emit)
    }

    /// Reads a text that does not extend the one before from its beginning, and replaces the answer so far.
    private func correct(to text: String, in state: inout State) {
        var reader = ReplyReader(format)
        let outputs = reader.push(Array(text.utf8))
        let raw = Self.raw(outputs)
        let answer = Self.answer(outputs)
        state.reader = reader
        state.text = text
        state.writings += 1
        countTokens(in: &state)
        // Raw text only grows: what the correction repeats is not told again.
        let shared = zip(raw.unicodeScalars, state.accumulator.rawText.unicodeScalars).prefix { $0 == $1 }.count
        state.accumulator.enter(.final, emit: emit)
        state.accumulator.appendRaw(
            String(String.UnicodeScalarView(raw.unicodeScalars.dropFirst(shared))), emit: emit)
        let shown = state.accumulator.text(of: .final)
        if answer.utf8.starts(with: shown.utf8) {
            let addition = Array(answer.utf8.dropFirst(shown.utf8.count))
            state.accumulator.appendContent(String(decoding: addition, as: UTF8.self), to: .final, emit: emit)
        } else {
            state.accumulator.replaceContent(of: .final, with: answer, reason: .streamCorrection, emit: emit)
        }
    }

    private func countTokens(in state: inout State) {
        let count = TokenEstimator.estimate(state.text) + state.callTokens
        state.accumulator.countTokens(upTo: count, after: time.seconds, emit: emit)
    }

    private static func raw(_ outputs: [ReplyOutput]) -> String {
        outputs.reduce(into: "") { raw, output in
            if case .raw(let text) = output { raw += text }
        }
    }

    /// What the outputs add up to.
    private static func answer(_ outputs: [ReplyOutput]) -> String {
        outputs.reduce(into: "") { answer, output in
            switch output {
            case .content(let text, _): answer += text
            case .replaced(let text, _): answer = text
            default: break
            }
        }
    }
}
