import FoundationModels

extension StubScript {
    /// The pieces of a text as the system gives them: time and again all that there is so far.
    static func snapshots(_ pieces: [Substring]) -> [Step] {
        var text = ""
        return pieces.map { piece in
            text += piece
            return .snapshot(text)
        }
    }

    /// A script of whole answers.
    static func answers(_ texts: String...) -> StubScript {
        StubScript(texts.map { [.snapshot($0)] })
    }

    /// An error of the framework's.
    static func context(_ text: String = "details") -> LanguageModelSession.GenerationError.Context {
        LanguageModelSession.GenerationError.Context(debugDescription: text)
    }
}
