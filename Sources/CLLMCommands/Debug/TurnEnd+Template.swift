import CarbocationLlamaRuntime
import CarbocationLocalLLM

extension TurnEnd {
    /// What stands for the variable whose text the vocabulary alone knows.
    static let endOfSequence = "<end-of-sequence>"
    /// What llama.cpp takes for the end of a generation in whatever vocabulary has it.
    private static let knownTexts = [
        "<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|calls|>", "<|flush|>",
        "<end_of_turn>", "<turn|>", "<|tool_response>", "<|endoftext|>", "<|end_of_text|>", "<end_of_utterance>",
        "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<eos>", "</s>", "<｜end▁of▁sentence｜>", "[e~[",
    ]
    private static let question = "text-of-user"
    private static let reply = "text-of-assistant"

    /// The ends that a template writes, and known ones that it names.
    ///
    /// - Parameters:
    ///   - template: The template's text.
    ///   - format: How the reply is read; what means something in there does not end it.
    ///   - render: Writes a conversation as the template does, with ``endOfSequence``.
    init(template: String, format: ReplyFormat, render: (PromptRenderRequest) throws -> String) {
        let written = (try? Self.behindReply(render)).map { always, between in
            // Without a text for the end of a turn it ends where the next one starts.
            let markers = Self.markers(in: always)
            return markers.isEmpty ? Array(Self.markers(in: between).prefix(1)) : markers
        }
        let named = MarkerOccurrences(of: Self.knownTexts, in: template)
        let endsInVariable = written?.contains(Self.endOfSequence) == true
        let known = Self.knownTexts.filter { endsInVariable || named.contains($0) }
        let meaningful = format.stops + format.phases.structuringMarkers
        self.init(
            texts: (known + (written ?? [])).filter { text in
                text != Self.endOfSequence && !meaningful.contains(text)
                    && !format.markers.contains { $0 != text && $0.contains(text) }
            })
    }

    /// What the template writes behind a reply whatever comes then, and what it writes between a reply and a question.
    private static func behindReply(
        _ render: (PromptRenderRequest) throws -> String
    ) throws -> (always: Substring, between: Substring) {
        func text(_ turns: [LLMJSONValue]) throws -> Substring {
            let prompt = try render(PromptRenderRequest(messages: .array(turns), addsGenerationPrompt: false))
            guard let start = prompt.ranges(of: reply).last?.upperBound else { return "" }
            return prompt[start..<(prompt[start...].firstRange(of: question)?.lowerBound ?? prompt.endIndex)]
        }
        let asked: LLMJSONValue = ["role": "user", "content": .string(question)]
        let answered: LLMJSONValue = ["role": "assistant", "content": .string(reply)]
        let between = try text([asked, answered, asked])
        let atEnd = try text([asked, answered])
        let shared = zip(between, atEnd).prefix { $0 == $1 }.count
        return (between.prefix(shared), between)
    }

    /// The texts in brackets, and one with which a word starts that has no second bracket.
    private static func markers(in text: Substring) -> [String] {
        text.split(whereSeparator: \.isWhitespace).flatMap { word in
            let whole = word.matches(of: /<[^<>]+>|\[[^\[\]]+\]/).map { String($0.output) }
            let isOpen = word.first.map { "<[".contains($0) } ?? false
            return whole.isEmpty && isOpen ? [String(word)] : whole
        }
    }
}
