import CarbocationLocalLLM
package import Foundation

/// Renders prompts outside of a generation, for looking at them.
package struct ChatTemplateInspector: Sendable {
    private let template: NativeChatTemplate

    /// Compiles template text; needs no model.
    package init(template text: String, endOfSequence: String = "") throws {
        template = try NativeChatTemplate(source: text, bos: "", eos: endOfSequence, addsBOS: false, addsEOS: false)
    }

    /// Compiles the template of a GGUF file, reading its vocabulary only.
    package init(modelAt url: URL) throws {
        let model = try ModelFile(url: url).openVocabulary()
        template = try PromptRenderer(model: model).compiledTemplate()
    }

    /// Renders a conversation; blocks for as long as the template runs, at most 5 s.
    package func render(_ request: PromptRenderRequest) throws -> RenderedPrompt {
        try template.render(request.json)
    }
}

/// Shows how a model cuts text into tokens.
package struct VocabularyInspector: Sendable {
    /// A token and its bytes, which may be part of a character.
    package struct TokenPiece: Sendable, Hashable {
        package var id: Int32
        package var bytes: [UInt8]
    }

    private let model: NativeModel

    /// Reads the vocabulary of a GGUF file.
    package init(modelAt url: URL) throws {
        model = try ModelFile(url: url).openVocabulary()
    }

    /// The tokens of `text`; as user input it never yields a control token.
    package func tokenize(_ text: String, asUserInput: Bool) throws -> [TokenPiece] {
        guard model.hasVocabulary else { throw LLMEngineError.tokenizationFailed }
        return try model.tokens(of: [PromptSegment(text: text, isInput: asUserInput)]).map { token in
            TokenPiece(id: token, bytes: model.withBytes(of: token, rendersSpecial: true) { Array($0) })
        }
    }
}
