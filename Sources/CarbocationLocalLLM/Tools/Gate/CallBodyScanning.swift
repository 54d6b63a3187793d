/// Finds where the body of a call ends, byte by byte.
protocol CallBodyScanning: Sendable {
    /// Reads the next byte; nothing may be read after any other verdict than `open`.
    mutating func read(_ byte: UInt8) -> CallVerdict

    /// The verdict if nothing follows.
    func atEnd() -> CallVerdict

    /// Where the body begins, in bytes that were read; nil while it is not certain that there is a call at all.
    var certainBodyStart: Int? { get }
}

extension CallBodyScanning {
    /// Behind an opener there is.
    var certainBodyStart: Int? { 0 }
}

extension CallBodyRule {
    /// A scanner for what follows an opener.
    ///
    /// - Parameters:
    ///   - closers: The markers that end the body and belong to the call.
    ///   - boundaries: The markers that it ends before.
    /// - Returns: A scanner that has read nothing.
    func scanner(closers: [String], boundaries: [String]) -> any CallBodyScanning {
        switch self {
        case .bracketed(let rule):
            BracketedBodyScanner(rule: rule, terminators: CallTerminators(closers: closers, boundaries: boundaries))
        case .tagged(let rule): TaggedBodyScanner(rule: rule, closers: closers, boundaries: boundaries)
        case .function: FunctionBodyScanner(closers: closers, boundaries: boundaries)
        case .mixed: MixedBodyScanner(closers: closers, boundaries: boundaries)
        case .recipient: RecipientBodyScanner(boundaries: boundaries)
        }
    }
}
