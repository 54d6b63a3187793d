import CLlama
import CarbocationLocalLLM

extension NativeModel {
    /// The tokens of a rendered prompt, without BOS or EOS.
    ///
    /// Text of input segments never yields a control or marker token.
    func tokens(of segments: [PromptSegment]) throws -> [Token] {
        var bytes: [UInt8] = []
        var spans: [cl_segment] = []
        for segment in segments where !segment.text.isEmpty {
            bytes.append(contentsOf: segment.text.utf8)
            spans.append(cl_segment(length: segment.text.utf8.count, is_input: segment.isInput))
        }
        return try tokens(of: bytes, spans: spans)
    }

    /// The tokens of text in the middle of a prompt that someone wrote, none of them a control or marker token.
    func plainTokens(of bytes: [UInt8]) throws -> [Token] {
        try tokens(of: bytes, spans: [cl_segment(length: bytes.count, is_input: true)])
    }

    private func tokens(of bytes: [UInt8], spans: [cl_segment]) throws -> [Token] {
        var tokens = [Token](repeating: 0, count: bytes.count + 2)
        for _ in 0..<2 {
            var needed = 0
            let status = bytes.withUnsafeBytes { bytes in
                let text = bytes.bindMemory(to: CChar.self)
                return cl_tokenize(
                    raw, text.baseAddress, text.count, spans, spans.count, &tokens, tokens.count, &needed)
            }
            guard status == CL_OK else { throw NativeFailure(status).error { _ in .tokenizationFailed } }
            if needed <= tokens.count { return Array(tokens.prefix(needed)) }
            tokens = [Token](repeating: 0, count: needed)
        }
        throw LLMEngineError.tokenizationFailed
    }

    /// Calls `body` with the bytes of `token`; control tokens have none unless `rendersSpecial`.
    func withBytes<Result>(
        of token: Token, rendersSpecial: Bool = false, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            let chars = buffer.bindMemory(to: CChar.self)
            let count = cl_token_bytes(raw, token, rendersSpecial, chars.baseAddress, chars.count)
            if count <= chars.count { return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            var long = [CChar](repeating: 0, count: count)
            cl_token_bytes(raw, token, rendersSpecial, &long, count)
            return try long.withUnsafeBytes(body)
        }
    }

    /// The text of a special token, as templates write it.
    func specialText(of token: Token?) -> String {
        guard let token else { return "" }
        return withBytes(of: token, rendersSpecial: true) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether `token` ends a turn.
    func endsGeneration(_ token: Token) -> Bool {
        cl_token_ends_generation(raw, token)
    }

    /// Whether `token` is given for template text only.
    func isMarker(_ token: Token) -> Bool {
        cl_token_is_marker(raw, token)
    }

    /// The special token with exactly this text, control token or not.
    func specialToken(_ text: String) -> Token? {
        let token = cl_token_special(raw, text)
        return token >= 0 ? token : nil
    }

    /// The control token with exactly this text.
    func controlToken(_ text: String) -> Token? {
        let token = cl_token_special(raw, text)
        return token >= 0 && cl_token_is_control(raw, token) ? token : nil
    }

    /// Tokens of plain text, at most so many, the first ones of the vocabulary.
    ///
    /// Control tokens, markers, ends of a turn and tokens without bytes are left out.
    func ordinaryTokens(limit: Int) -> [Token] {
        let ordinary = (0..<Token(vocabularySize)).lazy.filter { token in
            !cl_token_is_control(self.raw, token) && !self.isMarker(token) && !self.endsGeneration(token)
                && self.withBytes(of: token) { !$0.isEmpty }
        }
        return Array(ordinary.prefix(limit))
    }
}
