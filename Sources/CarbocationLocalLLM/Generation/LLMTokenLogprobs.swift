/// How likely a generated token and its alternatives were.
///
/// Natural logarithms of the softmax over the model's own logits, before penalties, grammar and truncation.
public struct LLMTokenLogprobs: Codable, Sendable, Hashable {
    /// One token and its probability.
    public struct Candidate: Codable, Sendable, Hashable {
        /// The token's id in the model's vocabulary.
        public var token: Int32
        /// The token as text, with U+FFFD for bytes that are no characters by themselves.
        public var text: String
        /// The token's exact bytes.
        public var bytes: [UInt8]
        /// The natural logarithm of the probability.
        public var logprob: Double

        /// Creates a candidate.
        public init(token: Int32, text: String, bytes: [UInt8], logprob: Double) {
            self.token = token
            self.text = text
            self.bytes = bytes
            self.logprob = logprob
        }
    }

    /// The token that was generated.
    public var chosen: Candidate
    /// The likeliest tokens, most likely first, ties by token id.
    public var top: [Candidate]

    /// Creates the report of one token.
    public init(chosen: Candidate, top: [Candidate]) {
        self.chosen = chosen
        self.top = top
    }
}
