import CarbocationLocalLLM

/// Where a model's chat template comes from.
///
/// The file's own template wins; without one the vocabulary decides, never a file or model name.
enum ChatTemplateSource: Equatable {
    case embedded(String, tools: String?)
    case gemmaFallback
    case chatMLFallback
    case unavailable

    /// Chooses for a model with these embedded templates and control tokens.
    init(default text: String?, tools: String?, hasControlToken: (String) -> Bool) {
        func hasPair(_ open: String, _ close: String) -> Bool { hasControlToken(open) && hasControlToken(close) }
        if let text, !text.allSatisfy(\.isWhitespace) {
            self = .embedded(text, tools: tools)
        } else if hasPair("<|turn>", "<turn|>") || hasPair("<start_of_turn>", "<end_of_turn>") {
            self = .gemmaFallback
        } else if hasPair("<|im_start|>", "<|im_end|>") {
            self = .chatMLFallback
        } else {
            self = .unavailable
        }
    }

    /// The template text, or the name of one of llama.cpp's built-in formats.
    var text: String? {
        switch self {
        case .embedded(let text, _): text
        case .gemmaFallback: "gemma"
        case .chatMLFallback: "chatml"
        case .unavailable: nil
        }
    }

    var toolText: String? {
        if case .embedded(_, let tools) = self { tools } else { nil }
    }

    var mode: LLMChatTemplateMode {
        switch self {
        case .embedded: .embedded
        case .gemmaFallback: .gemmaFallback
        case .chatMLFallback: .chatMLFallback
        case .unavailable: .unavailable
        }
    }
}

extension ChatTemplateSource {
    /// Chooses for a loaded model.
    init(model: NativeModel) {
        self.init(
            default: model.chatTemplate(), tools: model.chatTemplate(named: "tool_use"),
            hasControlToken: { model.controlToken($0) != nil })
    }
}
