import CarbocationLocalLLM

/// Renders and tokenises prompts for one model.
///
/// The compiled template is kept.
///
/// A template that cannot be compiled is no failure of loading: rendering then throws its message.
struct PromptRenderer: Sendable {
    let model: NativeModel
    let mode: LLMChatTemplateMode
    /// What the template's text says about replies.
    let markers: TemplateReplyMarkers
    /// How the template's text says that calls are written; the plain way if it does not.
    private let toolSyntax: ToolCallSyntax
    private let template: Result<NativeChatTemplate, any Error>

    init(model: NativeModel) {
        let source = ChatTemplateSource(model: model)
        self.model = model
        mode = source.mode
        markers = TemplateReplyMarkers(template: source.text)
        toolSyntax = ToolCallSyntax.detect(template: source.toolText ?? source.text, analysis: nil)
        template = Result { try Self.compile(source, for: model) }
    }

    /// The engine that renders: `llama-jinja` or `legacy-c-api`; nil when nothing can be rendered.
    var formatter: String? { (try? template.get())?.formatter }

    /// The compiled template, or the reason why there is none.
    func compiledTemplate() throws -> NativeChatTemplate {
        try template.get()
    }

    /// Renders a conversation.
    func render(_ request: PromptRenderRequest) throws -> RenderedPrompt {
        try template.get().render(request.json)
    }

    /// Renders a validated conversation, with the tools as the template writes them or else as text.
    func render(
        _ messages: [LLMChatMessage], options: GenerationOptions, tools: ToolOffer?
    ) throws -> RenderedPrompt {
        guard try template.get().knowsTools else {
            let messages = PlainToolPrompt.messages(messages, offer: tools)
            return try render(PromptRenderRequest(messages: messages, options: options))
        }
        var request = PromptRenderRequest(messages: messages, options: options, tools: tools)
        let prompt = try render(request)
        guard tools?.isCallRequired == true,
            try !ToolGrammar.canRequireCalls(toolSyntax(for: prompt), format: prompt.format)
        else { return prompt }
        request.requiresToolCall = true
        return try render(request)
    }

    /// How the reply to a rendered prompt writes calls.
    func toolSyntax(for prompt: RenderedPrompt) throws -> ToolCallSyntax {
        guard try template.get().knowsTools else { return .plain }
        if toolSyntax.family != .plain { return toolSyntax }
        return prompt.format.toolMarkers.flatMap(ToolCallSyntax.init) ?? .plain
    }

    /// The tokens of a rendered prompt, with exactly the BOS and EOS tokens that the vocabulary asks for.
    func tokens(of prompt: RenderedPrompt) throws -> [Token] {
        guard model.hasVocabulary else { throw LLMEngineError.tokenizationFailed }
        var tokens = try model.tokens(of: prompt.segments)
        if model.addsBOS, let bos = model.bosToken, tokens.first != bos { tokens.insert(bos, at: 0) }
        if model.addsEOS, let eos = model.eosToken, tokens.last != eos { tokens.append(eos) }
        return tokens
    }

    private static func compile(_ source: ChatTemplateSource, for model: NativeModel) throws -> NativeChatTemplate {
        guard let text = source.text else {
            throw LLMEngineError.chatTemplateUnavailable(
                "The model file has no chat template and its vocabulary names no known chat format. "
                    + "Use an instruction-tuned model.")
        }
        return try NativeChatTemplate(
            source: text, toolSource: source.toolText,
            bos: model.specialText(of: model.bosToken), eos: model.specialText(of: model.eosToken),
            addsBOS: model.addsBOS, addsEOS: model.addsEOS)
    }
}
