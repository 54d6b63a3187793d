/// What ``LedgerAlignment`` has to know of tokens.
protocol TokenVocabulary {
    /// The bytes that a token stands for in a prompt; those of a control token are its text.
    func promptBytes(of token: Token) -> [UInt8]

    /// Whether a token stands for more than its bytes, so that no other tokens can stand for it, nor it for them.
    ///
    /// Control tokens, markers, and tokens without a text.
    func isOpaque(_ token: Token) -> Bool

    /// Tokens for text in the middle of a prompt, none of them opaque.
    func plainTokens(of bytes: [UInt8]) throws -> [Token]
}

extension NativeModel: TokenVocabulary {
    func promptBytes(of token: Token) -> [UInt8] {
        withBytes(of: token, rendersSpecial: true) { Array($0) }
    }

    func isOpaque(_ token: Token) -> Bool {
        // Bytes that show in prompts only belong to control tokens and to those for what the vocabulary lacks.
        isMarker(token) || withBytes(of: token) { $0.isEmpty }
    }
}
