import CarbocationLocalLLM

/// What binds the calls of a reply to the tools' schemas.
struct ToolGrammar: Sendable, Hashable {
    /// GBNF.
    var text: String
    var start: GrammarStart
    /// How a grammar that waits for a call begins; nil for one that does not wait.
    var lead: CallLead?

    /// The grammar for a reply; nil when only the finished calls can be checked.
    ///
    /// - Parameters:
    ///   - offer: The tools.
    ///   - syntax: How calls are written.
    ///   - format: What llama.cpp found out about the template, with these tools.
    ///   - answerStart: From where on a grammar of the answer applies.
    /// - Throws: ``LLMToolError/unsupportedToolMode(_:)`` when a call is required and nothing can enforce that.
    init?(_ offer: ToolOffer, syntax: ToolCallSyntax, format: ChatFormat, answerStart: GrammarStart) throws {
        if Self.isPlainJSON(syntax, format) {
            try self.init(plainJSON: offer, syntax: syntax, format: format, answerStart: answerStart)
        } else if !format.grammar.isEmpty {
            self.init(native: offer, syntax: syntax, format: format, answerStart: answerStart)
        } else if offer.isCallRequired {
            throw LLMToolError.unsupportedToolMode(
                "Calls of this model cannot be enforced: its template gives no grammar for them. Use the choice “auto”."
            )
        } else {
            return nil
        }
    }

    /// Whether a grammar for calls alone can be that of an answer that has to be a call.
    ///
    /// Some of llama.cpp's admit no call at all, or only the marker behind the last one.
    static func canRequireCalls(_ syntax: ToolCallSyntax, format: ChatFormat) -> Bool {
        if isPlainJSON(syntax, format) { return true }
        guard !format.callOpeners.isEmpty else { return false }
        let callLess = [""] + syntax.sectionClosers + syntax.envelopes.flatMap(\.closers)
        return !callLess.contains { (try? NativeGrammar.matches($0, format.callGrammar)) ?? true }
    }

    private static func isPlainJSON(_ syntax: ToolCallSyntax, _ format: ChatFormat) -> Bool {
        syntax.acceptsWrapper || (syntax.acceptsBareCalls && format.callOpeners.isEmpty)
    }

    /// The grammar that llama.cpp made of the template and the tools.
    private init?(
        native offer: ToolOffer, syntax: ToolCallSyntax, format: ChatFormat, answerStart: GrammarStart
    ) {
        text = syntax.family == .functionary32 ? Self.separatingCalls(in: format.callGrammar) : format.callGrammar
        if !format.grammarLazy {
            start = .behindPrompt(format.generationPrompt)
        } else if offer.isCallRequired {
            guard !format.callOpeners.isEmpty else { return nil }
            start = answerStart
        } else {
            guard let lead = CallLead(syntax, format: format) else { return nil }
            self.lead = lead
            start = .atCall
        }
    }

    /// The grammar with the marker that stands between calls, which llama.cpp's lets follow each other without it.
    private static func separatingCalls(in grammar: String) -> String {
        grammar.replacing(/^tools ::= (.+)\+$/.anchorsMatchLineEndings()) { rule in
            "tools ::= \(rule.1) (\"\\n\"? \">>>\" \(rule.1))*"
        }
    }

    /// The grammar of calls that are plain JSON.
    private init(
        plainJSON offer: ToolOffer, syntax: ToolCallSyntax, format: ChatFormat, answerStart: GrammarStart
    ) throws {
        text = try PlainCallSchema(offer, syntax: syntax, format: format).grammar()
        start = offer.isCallRequired ? answerStart : .atCall
        lead = offer.isCallRequired ? nil : .json
    }
}
