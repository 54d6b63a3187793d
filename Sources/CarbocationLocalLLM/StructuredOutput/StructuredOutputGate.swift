/// Lets final text through from where the grammar or schema of the request applies, and knows whether it ever did.
package struct StructuredOutputGate: Sendable {
    /// From where on a generation is bound to its grammar.
    package enum Constraint: Sendable, Hashable {
        /// From the first token on; all of the text is structured output.
        case eager
        /// From the end of the thinking, after which there may be white space.
        case lazy
    }

    /// Whether structured output was let through.
    package private(set) var hasBegun = false

    private let constraint: Constraint

    /// Creates a gate for the final text of one generation.
    package init(constraint: Constraint) {
        self.constraint = constraint
    }

    /// Adds final text and returns what is structured output of it.
    ///
    /// - Parameters:
    ///   - text: Text of the final phase.
    ///   - isConstrained: Whether the grammar applied to it; what comes before the first such text is dropped.
    /// - Returns: The text, without white space before the first structured character of a lazy grammar.
    package mutating func push(_ text: String, isConstrained: Bool = true) -> String {
        guard !hasBegun else { return text }
        guard isConstrained else { return "" }
        let start =
            switch constraint {
            case .eager: text.startIndex
            case .lazy: text.unicodeScalars.firstIndex { !$0.properties.isWhitespace } ?? text.endIndex
            }
        hasBegun = start != text.endIndex
        return String(text[start...])
    }

    /// The failure of a generation that ended before structured output began; nil if it began or need not have.
    ///
    /// A limit inside the thinking is no failure, nor are tool calls in place of an answer. An eager grammar that let
    /// the model end its turn without any text accepts empty text.
    ///
    /// - Parameters:
    ///   - phase: The phase the generation ended in.
    ///   - stopReason: Why it ended.
    /// - Returns: ``LLMEngineError/structuredOutputPhaseFailed(_:)``, or nil.
    package func failure(
        endingIn phase: LLMStreamContentPhase, stopReason: LLMStopReason
    ) -> LLMEngineError? {
        if hasBegun || stopReason == .toolCallComplete { return nil }
        if constraint == .eager, stopReason == .complete { return nil }
        if phase == .thinking, stopReason.isLimit { return nil }
        let place = phase == .thinking ? "in its thinking" : "before its answer"
        return .structuredOutputPhaseFailed("the generation ended \(place) (\(stopReason.rawValue))")
    }
}

extension LLMStopReason {
    /// Whether the output was cut off because there was no more room for it.
    package var isLimit: Bool { self == .maxTokens || self == .contextFull }
}
