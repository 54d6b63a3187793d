/// The parts in which ways to write values differ; what they share is in ``LiteralParser``.
protocol LiteralDialect {
    init()

    /// Whether lists can also stand in round brackets.
    static var hasTuples: Bool { get }

    /// Reads a key up to its colon.
    mutating func parseKey(_ cursor: inout ByteCursor) throws(LiteralProblem) -> String

    /// Reads anything but a container.
    mutating func parseScalar(_ cursor: inout ByteCursor) throws(LiteralProblem) -> LLMJSONValue
}
