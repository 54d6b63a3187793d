package import CarbocationLocalLLM

/// A run of prompt text and where it came from.
package struct PromptSegment: Sendable, Hashable {
    /// The text, never empty.
    package var text: String
    /// Whether a user, a model or a tool wrote it, so that it may not yield control tokens.
    package var isInput: Bool

    package init(text: String, isInput: Bool) {
        self.text = text
        self.isInput = isInput
    }
}

/// A conversation as the model's template writes it.
package struct RenderedPrompt: Sendable {
    /// The whole prompt: the segments joined.
    package var text: String
    package var segments: [PromptSegment]
    package var format: ChatFormat
}

extension [PromptSegment] {
    /// The template's own text at the end; empty when a message ends the prompt.
    package var templateTail: String { last.map { $0.isInput ? "" : $0.text } ?? "" }
}

/// What the template analysis says about reading the reply.
package struct ChatFormat: Sendable {
    /// A condition that starts a lazy grammar.
    package struct Trigger: Sendable, Hashable {
        package var type: String
        package var value: String
    }

    /// `llama-jinja` or `legacy-c-api`.
    package var formatter: String
    package var thinkingStart: String?
    package var thinkingEnds: [String]
    /// The text that the template appends for the assistant's turn.
    package var generationPrompt: String
    package var grammar: String
    package var grammarLazy: Bool
    package var triggers: [Trigger]
    package var stops: [String]
    /// Texts whose tokens must be seen in the reply although they are control tokens.
    package var preservedTokens: [String]
    /// How the template writes tool calls, with tools and if that was found out.
    package var toolMarkers: ToolMarkers?
    /// Whether the prompt ends inside an open thinking block.
    package var startsInThinking: Bool

    /// The texts with which calls begin, if the grammar describes calls alone and texts tell where.
    package var callOpeners: [String] {
        grammar.isEmpty || !grammarLazy ? [] : triggers.filter { $0.type == "word" }.map(\.value)
    }

    /// The grammar, with at least one call where llama.cpp's rule for several calls has any number of them, which means
    /// that it repeats nothing without end.
    var callGrammar: String {
        grammar.replacing("tool-calls ::= (tool-call? space)+", with: "tool-calls ::= (tool-call space)+")
    }

    init(details: LLMJSONValue, formatter: String, prompt: [PromptSegment]) {
        func text(_ key: String) -> String { details.value(forKey: key)?.stringValue ?? "" }
        func texts(_ key: String) -> [String] {
            (details.value(forKey: key)?.arrayValue ?? []).compactMap(\.stringValue)
        }
        self.formatter = formatter
        thinkingStart = text("thinking_start").isEmpty ? nil : text("thinking_start")
        thinkingEnds = texts("thinking_ends")
        generationPrompt = text("generation_prompt")
        grammar = text("grammar")
        grammarLazy = details.value(forKey: "grammar_lazy")?.boolValue ?? false
        triggers = (details.value(forKey: "triggers")?.arrayValue ?? []).map {
            Trigger(
                type: $0.value(forKey: "type")?.stringValue ?? "",
                value: $0.value(forKey: "value")?.stringValue ?? "")
        }
        stops = texts("stops")
        preservedTokens = texts("preserved_tokens")
        toolMarkers = details.value(forKey: "tool_markers").flatMap(ToolMarkers.init)
        startsInThinking = Self.endsInside(thinkingStart, prompt: prompt)
    }

    /// Whether the template's own text at the end of the prompt, white space aside, is the opener.
    private static func endsInside(_ opener: String?, prompt: [PromptSegment]) -> Bool {
        guard let opener, !opener.isEmpty, let last = prompt.last, !last.isInput else { return false }
        let trimmed = last.text.reversed().drop(while: \.isWhitespace)
        return trimmed.starts(with: opener.reversed().drop(while: \.isWhitespace))
    }
}
