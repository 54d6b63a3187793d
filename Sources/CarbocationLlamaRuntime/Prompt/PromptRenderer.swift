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
    private let template: Result<NativeChatTemplate, any Error>

    init(model: NativeModel) {
        let source = ChatTemplateSource(model: model)
        self.model = model
        mode = source.mode
        markers = TemplateReplyMarkers(template: source.text)
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
